import { expect, test } from 'vitest';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { linesOf } from '../../harness/cli.ts';
import { run } from '../../harness/run.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';

test('a published index explains a version as its checkout does, and the lines of a component', async () => {
  const url = await startSite(siteOfFixtureIndex());
  const day = ['--as-of', fixtureDay];
  const [there, here, lines, unknown] = await Promise.all([
    run(['explain', 'Server 2025.1', '--index', url, ...day]),
    run(['explain', 'Server 2025.1', '--root', fixtureIndex, ...day]),
    run(['explain', 'svc', '--index', url, ...day]),
    run(['explain', 'nothing 1.0', '--index', url, ...day]),
  ]);

  expect(there).toMatchObject({ status: 0, stderr: '' });
  expect(linesOf(here.stdout)).toEqual(expect.arrayContaining(linesOf(there.stdout)));
  expect(linesOf(there.stdout).slice(0, 2)).toEqual([
    `svc 2025.1 on ${fixtureDay}: support ended`,
    'Server 2025.1 has been out of support since 2026-10-08. Move to 2026.3.',
  ]);
  expect(linesOf(lines.stdout)).toContain('  2025.1: has been out of support since 2026-10-08.');
  expect(unknown.status).toBe(2);
  expect(linesOf(unknown.stderr)[0]).toContain('There is no component "nothing 1.0".');
});
