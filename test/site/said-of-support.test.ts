import { expect, test } from 'vitest';
import { linesOf, runCli } from '../harness/cli.ts';
import { definition, makeRoot } from '../harness/root.ts';

const day = ['--as-of', '2026-06-01'];

test('explain does not attribute to upstream what the definition or a person states', async () => {
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
  expect(linesOf(ofDefinition.stdout)).toContain(
    'Deprecated in the definition: Bad. Since 2026-06-01.',
  );
  expect(ofDefinition.stdout).not.toMatch(/upstream/i);
  expect(linesOf(byHand.stdout)).toContain('Timestamp: 2026-01-02, published: recorded by hand.');
});

test('explain does not say which of two kinds of sources states a day', async () => {
  const root = makeRoot({
    'components/svc.json': definition(),
    'data/svc.json': {
      releases: [
        {
          ...{ version: '1.0', releaseTimestamp: '2026-01-01' },
          ...{ source: 'static', alsoListedBy: ['npm:svc'] },
        },
      ],
    },
  });

  const { stdout } = await runCli(['explain', 'svc', '1.0', '--root', root, ...day]);

  expect(linesOf(stdout)).toContain(
    'Timestamp: 2026-01-01, published: stated by one of its sources.',
  );
});
