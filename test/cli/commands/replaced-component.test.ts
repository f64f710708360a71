import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf, runCli } from '../../harness/cli.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';

const files = {
  'components/old.json': definition({
    replacedBy: 'new',
    support: { policy: 'ended', deprecatedFrom: '2026-01-01', since: '2026-12-31' },
  }),
  'data/old.json': { releases: [{ version: '1.0', releaseTimestamp: '2025-01-01' }] },
  'components/new.json': definition({ labels: { team: 'build' } }),
  'data/new.json': { releases: [{ version: '2.0', releaseTimestamp: '2026-01-01' }] },
};
const day = ['--as-of', '2026-06-01'];

test('explain names the replacement with each verdict, and its end of support as an event', async () => {
  const root = makeRoot(files);

  expect((await runCli(['build', '--root', root, ...day])).status).toBe(0);
  expect((await runCli(['check', '--root', root, ...day])).stderr).toBe('');

  const component = linesOf((await runCli(['explain', 'old', '--root', root, ...day])).stdout);
  expect(component).toContain('Replaced by new, whose latest version is 2.0.');
  expect(component).toContain(
    'Policy: End of support of this component: 2026-12-31. Every release is deprecated from 2026-01-01 on.',
  );
  expect(component).toContain('Next: 2026-12-31, end of support of 1.0.');
  const release = linesOf((await runCli(['explain', 'old', '1.0', '--root', root, ...day])).stdout);
  expect(release[1]).toBe('A component 1.0 is deprecated, and supported until 2026-12-31. Move to new 2.0.');
  const page = readFileSync(join(root, 'dist/old.html'), 'utf8');
  expect(page).toContain('<a href="new.html">Replaced by new, whose latest version is 2.0.</a>');
  expect(page).toContain('End of support of this component: <time datetime="2026-12-31">31 Dec 2026</time>');
  expect(readFileSync(join(root, 'dist/calendars/old.ics'), 'utf8')).toContain('DTSTART;VALUE=DATE:20261231');
  expect(readJsonIn(root, 'dist/details/old.json')).toMatchObject({
    replacedBy: 'new',
    lines: [{ supportedUntil: '2026-12-31' }],
    onBuildDay: { nextChangeOn: '2026-12-31' },
    releases: [{ onBuildDay: { state: 'deprecated' } }],
  });
});

test('nothing is promised of a release without a support policy', async () => {
  const root = makeRoot(files);

  await runCli(['build', '--root', root, ...day]);

  expect(readJsonIn(root, 'dist/details/new.json')).toMatchObject({
    releases: [{ onBuildDay: { state: 'no-promise' } }],
  });
  expect(readFileSync(join(root, 'dist/latest/new.txt'), 'utf8')).toBe('2.0\n');
  const page = readFileSync(join(root, 'dist/new.html'), 'utf8');
  expect(page).not.toMatch(/>[Ss]upported/);
  const { stdout } = await runCli(['explain', 'new', '2.0', '--root', root, ...day]);
  expect(linesOf(stdout)[0]).toBe('new 2.0 on 2026-06-01: no promise');
});

test('labels are for queries', async () => {
  const { stdout } = await runCli([
    'search',
    'label:team=build',
    '--root',
    makeRoot(files),
    '--json',
    ...day,
  ]);

  expect(JSON.parse(stdout)).toMatchObject([{ component: 'new', label: { team: 'build' } }]);
});
