import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { linesOf, runCli } from '../../harness/cli.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';

const root = makeRoot({
  'components/old.json': definition({
    replacedBy: 'new',
    support: { policy: 'ended', deprecatedFrom: '2026-01-01', until: '2026-12-31' },
  }),
  'data/old.json': { releases: [{ version: '1.0', releaseTimestamp: '2025-01-01' }] },
  'components/new.json': definition(),
  'data/new.json': { releases: [{ version: '2.0', releaseTimestamp: '2026-01-01' }] },
});
const ask = async (...args: string[]) =>
  (await runCli([...args, '--root', root, '--as-of', '2026-06-01'])).stdout;
const built = (path: string) => readFileSync(join(root, 'dist', path), 'utf8');

beforeAll(() => ask('build'));

test('commands and pages name the replacement with each verdict, and its end of support as an event', async () => {
  expect(await ask('check')).toBe('check: 2 components, 0 errors, 0 warnings.\n');
  expect(linesOf(await ask('explain', 'old'))).toEqual(
    expect.arrayContaining([
      'Replaced by A component, whose latest version is 2.0.',
      'Policy: End of support of this component: 2026-12-31. Every release is deprecated from 2026-01-01 on.',
      'Next: 2026-12-31, end of support of 1.0.',
    ]),
  );
  expect(linesOf(await ask('explain', 'old', '1.0'))[1]).toBe(
    'A component 1.0 is deprecated, and supported until 2026-12-31. Move to A component 2.0 by 2026-12-31.',
  );
  expect(built('old.html')).toContain(
    '<a href="new.html">Replaced by A component, whose latest version is 2.0.</a>',
  );
  expect(built('old.html')).toContain(
    'End of support: <time datetime="2026-12-31">31 Dec 2026</time>',
  );
  expect(built('calendars/old.ics')).toContain('DTSTART;VALUE=DATE:20261231');
  expect(readJsonIn(root, 'dist/details/old.json')).toMatchObject({
    replacedBy: 'new',
    lines: [{ supportedUntil: '2026-12-31' }],
    onBuildDay: { nextChangeOn: '2027-01-01' },
  });
});

test('nothing is promised of a release without a support policy', async () => {
  expect(built('latest/new.txt')).toBe('2.0\n');
  expect(built('new.html')).not.toMatch(/>[Ss]upported/);
  expect(linesOf(await ask('explain', 'new', '2.0'))[0]).toBe(
    'new 2.0 on 2026-06-01: no end stated',
  );
});
