import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf, runCli } from '../harness/cli.ts';
import { definition, makeRoot } from '../harness/root.ts';

const day = ['--as-of', '2026-06-01'];

test('the index names the day on which support of each line ends', async () => {
  const lines = {
    '1.0': '2026-09-01',
    '2.0': '2026-08-01',
    '3.0': '2026-07-01',
    '4.0': '2027-01-01',
    '5.0': '2028-01-01',
  };
  const root = makeRoot({
    'components/svc.json': definition({ support: { policy: 'dated', lines } }),
    'data/svc.json': { releases: Object.keys(lines).map((version) => ({ version })) },
  });

  await runCli(['build', '--root', root, ...day]);

  const [, plan] = readFileSync(join(root, 'dist/index.html'), 'utf8').split(
    /<h2 id="(?:supported|components)"/,
  );
  const row = plan!.replaceAll(/<svg.*?<\/svg>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ');
  const bars = Array.from(row.matchAll(/(\d\.0) until (\d+ \w+ \d{4})/g), ([, line, end]) => [line, end]);
  expect(bars).toEqual([
    ['3.0', '1 Jul 2026'],
    ['2.0', '1 Aug 2026'],
    ['1.0', '1 Sep 2026'],
    ['4.0', '1 Jan 2027'],
    ['5.0', '1 Jan 2028'],
  ]);
});

test('what the definition itself states, or a person recorded, is not called the word of upstream', async () => {
  const sources = [
    {
      datasource: 'static',
      releases: [{ version: '1.0', releaseTimestamp: '2026-01-01', deprecated: 'Bad.' }],
    },
  ];
  const root = makeRoot({
    'components/svc.json': definition({ sources }),
    'components/tool.json': definition(),
    'data/tool.json': { releases: [{ version: '2.0', releaseTimestamp: '2026-01-02' }] },
  });
  await runCli(['gather', 'svc', '--root', root, ...day]);

  const ofDefinition = await runCli(['explain', 'svc', '1.0', '--root', root, ...day]);
  const byHand = await runCli(['explain', 'tool', '2.0', '--root', root, ...day]);

  expect(linesOf(ofDefinition.stdout)).toContain(
    'Timestamp: 2026-01-01, published: as recorded in the definition.',
  );
  expect(linesOf(ofDefinition.stdout)).toContain('Deprecated in the definition: Bad. Since 2026-06-01.');
  expect(ofDefinition.stdout).not.toMatch(/upstream/i);
  expect(linesOf(byHand.stdout)).toContain('Timestamp: 2026-01-02, published: recorded by hand.');
});
