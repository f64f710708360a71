import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { Day } from '../../../src/core/day.ts';
import { startCloudflare } from '../../harness/cloudflare.ts';
import { runCli, type Ended } from '../../harness/cli.ts';
import {
  createFolder,
  listReleases,
  openOperatedIndex,
  type OperatedIndex,
} from '../../harness/operated-index.ts';

// Each publication to the host takes as long as many a test.
vi.setConfig({ testTimeout: 900_000 });
const cloudflare = await startCloudflare();
afterAll(() => cloudflare.close());

/** What readers have: the day of the site, and the latest version of each component. */
function readSite(read: (path: string) => string | undefined): Record<string, string> {
  const { asOf } = JSON.parse(read('status.json')!) as { asOf: string };
  const { components } = JSON.parse(read('all.json')!) as {
    components: Record<string, { tags: { latest: string } }>;
  };
  const latest = Object.entries(components).map(([name, { tags }]) => [name, tags.latest]);
  return { asOf, ...Object.fromEntries(latest) };
}

/** Runs a line that was printed, or that a workflow runs. */
function run(index: OperatedIndex, line: string, day: Day): Promise<Ended> {
  const words = line.replace(/^npx release-index /, '').split(' ');
  return runCli([...words, '--root', index.root, '--as-of', day], cloudflare.credentials);
}

function findCommand({ stderr }: Ended): string {
  return /npx release-index accept [\w-]+/.exec(stderr)?.[0] ?? `no command in: ${stderr}`;
}

test('days with incidents: what readers get, what the operator reads, what printed commands do', async () => {
  const index = await openOperatedIndex({ releasesUrl: cloudflare.siteUrl });
  const colleague = index.clone();
  const server = join(createFolder(), 'site');
  // Publication to the host takes seconds.
  let host = ` --to ${server}`;
  const daily = (day: Day) => run(index, `daily --push${host}`, day);
  const readers = () =>
    readSite(host === '' ? cloudflare.read : (path) => readFileSync(join(server, path), 'utf8'));
  const releases = listReleases(5);
  const news = (component: string, ...versions: string[]) =>
    index.answers.set(component, [...releases, ...versions.map((version) => ({ version }))]);
  for (const component of ['agent', 'other', 'tool']) {
    index.define(component, releases);
  }
  index.commit();
  index.git('push', '--quiet');

  // 1: the first day.
  expect(await daily('2026-11-01')).toMatchObject({ status: 0 });
  const site = { agent: '1.4.3', other: '1.4.3', tool: '1.4.3' };
  expect(readers()).toEqual({ asOf: '2026-11-01', ...site });

  // 2: a registry is silent. The others go on, and nobody is called for a day without an answer.
  index.answers.delete('other');
  news('agent', '1.5.0');
  expect(await daily('2026-11-02')).toMatchObject({ status: 0 });
  expect(readers()).toEqual({ asOf: '2026-11-02', ...site, agent: '1.5.0' });

  // 3: a version far above all others waits. The run fails once.
  news('agent', '1.5.0', '9999.0');
  news('tool', '1.5.0');
  const held = await daily('2026-11-03');
  expect(held).toMatchObject({ status: 1, stderr: expect.stringMatching(/^error: agent: waits/m) });
  expect(readers()).toEqual({ asOf: '2026-11-03', agent: '1.5.0', other: '1.4.3', tool: '1.5.0' });

  // 4: it waits on, and the run says so.
  const waiting = await daily('2026-11-04');
  expect(waiting).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^warning: agent: waits/m),
  });
  expect(findCommand(waiting)).toBe(findCommand(held));

  // 5: a colleague accepts it in another clone; the silent registry now fails the run.
  colleague.git('pull', '--quiet');
  expect(await run(colleague, findCommand(held), '2026-11-05')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/: accepted 1 version\. Commit data\/decisions\.ndjson\.\n$/),
  });
  colleague.commit();
  colleague.git('push', '--quiet');
  const silent = await daily('2026-11-05');
  expect(silent.stderr).toMatch(
    /^error: other \(json:\S+\): last answered on 2026-11-01: GET \S+ answered 404\.$/m,
  );
  expect(silent.status).toBe(1);
  const accepted = { agent: '9999.0', other: '1.4.3', tool: '1.5.0' };
  expect(readers()).toEqual({ asOf: '2026-11-05', ...accepted });

  // 6: an edit leaves nearly nothing of a component. Readers keep what they have until it is taken back.
  index.answers.set('other', releases);
  const definition = index.read('components/tool.json');
  const edited = JSON.parse(definition) as { sources: object[] };
  Object.assign(edited.sources[0]!, { allowedVersions: '/^2/' });
  index.write('components/tool.json', edited);
  index.commit('Select versions');
  const refused = await daily('2026-11-06');
  expect(refused.stderr).toContain('error: tool: would have no latest version; it is 1.5.0');
  expect(findCommand(refused)).toContain('accept publication-');
  expect(refused.status).toBe(1);
  expect(readers()).toEqual({ asOf: '2026-11-05', ...accepted });
  index.git('revert', '--no-edit', 'HEAD~1');
  expect(await daily('2026-11-06')).toMatchObject({
    status: 0,
    stderr: expect.not.stringMatching(/^error|^warning/m),
  });
  expect(readers()).toEqual({ asOf: '2026-11-06', ...accepted });

  // 7: a component goes on purpose. What was printed lets this publication pass.
  index.git('rm', '--quiet', 'components/other.json');
  index.commit('Leave out a component');
  const gone = await daily('2026-11-07');
  expect(gone.stderr).toContain('error: other: is on the live site, and would be gone');
  expect(await run(index, findCommand(gone), '2026-11-07')).toMatchObject({ status: 0 });
  expect(await run(index, `publish${host}`, '2026-11-07')).toMatchObject({ status: 0 });
  const rest = { agent: '9999.0', tool: '1.5.0' };
  expect(readers()).toEqual({ asOf: '2026-11-07', ...rest });

  // 8: a colleague pushes while sources are asked. The run steps back, and the printed command makes way for the next one, which
  // publishes at another host.
  colleague.git('pull', '--quiet');
  const list = JSON.stringify({ releases: [...releases, { version: '1.5.0' }] });
  index.answers.set('tool', {
    type: 'application/json',
    get body() {
      if (!colleague.read('components/tool.json').includes('A tool')) {
        colleague.write('components/tool.json', { ...JSON.parse(definition), title: 'A tool' });
        colleague.commit('Name it');
        colleague.git('push', '--quiet');
      }
      return list;
    },
  });
  const rival = await daily('2026-11-08');
  expect(rival.stderr).toMatch(
    /error: git push: others have pushed components\/tool\.json meanwhile/,
  );
  expect(rival.status).toBe(1);
  expect(readers()).toEqual({ asOf: '2026-11-07', ...rest });
  const [, back = ''] = /\(git (.+?)\)/.exec(rival.stderr) ?? [];
  index.git(...back.split(' '));
  host = '';
  expect(await daily('2026-11-08')).toMatchObject({ status: 0 });
  expect(readers()).toEqual({ asOf: '2026-11-08', ...rest });
  expect(cloudflare.read('tool.html')).toContain('A tool');

  // 9: the host fails. The old site serves on, and publishing again is enough.
  news('tool', '1.5.0', '1.5.1');
  cloudflare.fault = { at: 'POST /workers/scripts/127-0-0-1/versions', kind: 500 };
  const failed = await daily('2026-11-09');
  expect(failed.stderr).toContain('Publish again: only a whole upload goes live.');
  expect(failed.status).toBe(1);
  expect(readers()).toEqual({ asOf: '2026-11-08', ...rest });
  cloudflare.fault = undefined;
  expect(await run(index, 'publish', '2026-11-09')).toMatchObject({ status: 0 });
  expect(readers()).toEqual({ asOf: '2026-11-09', agent: '9999.0', tool: '1.5.1' });
});

test('a merge that drops a file of data publishes nothing, and a printed command mends it', async () => {
  const index = await openOperatedIndex();
  const server = join(createFolder(), 'site');
  const daily = (day: Day) => run(index, `daily --push --to ${server}`, day);
  const read = () => readFileSync(join(server, 'all.json'), 'utf8');
  index.define('tool', listReleases(2), { support: { policy: 'term', months: 24 } });
  index.commit();
  expect(await daily('2026-11-01')).toMatchObject({ status: 0 });
  const before = [read(), index.read('data/journal/tool.ndjson')];

  index.git('rm', '--quiet', 'data/tool.json');
  index.commit('Merge');
  const { status, stderr } = await daily('2026-11-02');
  expect([status, read()]).toEqual([1, before[0]]);
  expect(stderr).toContain('data/tool.json: lacks 8 of 8 releases that its journal tells.');

  const [restore = ''] = /restore --source=.*$/m.exec(stderr) ?? [];
  index.git(...restore.split(' '));
  expect(await daily('2026-11-02')).toMatchObject({ status: 0 });
  expect([read(), index.read('data/journal/tool.ndjson')]).toEqual(before);
});
