import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFolder } from '../../../src/deliver/host/static-server.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { definition } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

// An index at GitHub Pages, which only the workflow deploys.
const { root, served, commit } = openIndexInGit();
let server: Awaited<ReturnType<typeof serveFolder>>;

beforeAll(async () => {
  server = await serveFolder(served);
  const sources = [{ datasource: 'static', releases: [{ version: '1.0' }] }];
  root.write('components/svc.json', definition({ sources }));
  root.configure({ hosting: 'pages', releasesUrl: server.url });
  commit();
});

afterAll(() => server.close());

/** Runs a day, of which a job deploys the site afterwards or not. */
async function runDay(day: string, isDeployed: boolean, ...options: string[]) {
  const env = { PATH: process.env['PATH']!, NO_COLOR: '1', CI: '1' };
  const line = ['daily', '--root', root.dir, '--as-of', day, ...options];
  const { status, stderr } = await runHere(line, env);

  if (isDeployed) {
    rmSync(served, { recursive: true });
    cpSync(join(root.dir, 'dist'), served, { recursive: true });
  }

  return [status, /^\w+: (not published: .*)/m.exec(stderr)?.[1] ?? ''];
}

const missing = (state: string, day: string) =>
  `not published: ${state} The host has not published the run of ${day}: look at the job that deploys it, and at "releasesUrl" in site/site.json.`;

test('a site that the host did not deploy fails the next run, and no later one, until the host has it', async () => {
  const days = [
    await runDay('2026-06-01', false),
    await runDay('2026-06-03', true),
    await runDay('2026-06-04', false),
    await runDay('2026-06-05', false),
    await runDay('2026-06-06', true),
    await runDay('2026-06-07', true),
  ];

  const stale = missing('The live site is of 2026-06-03.', '2026-06-04');
  expect(days).toEqual([
    [0, ''],
    [1, missing('There is no live site.', '2026-06-01')],
    [0, ''],
    [1, stale],
    [0, stale],
    [0, ''],
  ]);
});

test('a live site that cannot be read is an outage, which counts from the fourth day', async () => {
  await server.close();

  const days = [await runDay('2026-06-08', false), await runDay('2026-06-11', false)];

  expect(days).toEqual([
    [0, ''],
    [1, 'not published: The live site is of 2026-06-06. Look why no later run was published.'],
  ]);
});

test('nothing is said of the age of a site that something else publishes', async () => {
  expect(await runDay('2026-06-20', false, '--skip-publish')).toEqual([0, '']);
});
