import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import { runCli, type Ran } from '../../harness/cli.ts';
import { gitServer } from '../../harness/git-server.ts';
import {
  createRoot,
  definition,
  readJsonIn,
  temporaryFolder,
  writeIn,
} from '../../harness/root.ts';
import { startUpstream } from '../../harness/upstream.ts';

const versions = ['2.8.0', '2.9.0', '2.9.1', '2.9.2'];
const sources = [{ datasource: 'static', releases: versions.map((version) => ({ version })) }];
const bad = { versions: ['2.9.2'], reason: 'Loses data.' };

/** The folder of the published site. */
let served: string;
/** The repository: a folder, or the address of a server. */
let remote: string;
/** How commands run. */
let run: (args: readonly string[]) => Promise<Ran>;

/** Runs git without blocking the server, which is in this process. */
async function git(dir: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', dir, ...args]);
  return stdout.trim();
}

async function commit(dir: string, message: string): Promise<void> {
  await git(dir, 'add', '--all');
  await git(dir, 'commit', '--quiet', '--message', message);
}

/** A fresh checkout, as a workflow makes it. */
async function clone(): Promise<string> {
  const dir = join(temporaryFolder(), 'checkout');
  await git('.', 'clone', '--quiet', remote, dir);
  await git(dir, 'config', 'user.name', 'Jane');
  await git(dir, 'config', 'user.email', 'jane@example.com');
  return dir;
}

const daily = (dir: string, day: string, ...more: string[]) =>
  run(['daily', '--root', dir, '--as-of', day, '--to', served, ...more]);
const live = (path: string) => readFileSync(join(served, path), 'utf8');
const liveEvents = () => readJsonIn<ChangesFile>(served, 'changes.json').changes;

/** The repository and the site of an index without a run, and of one that lost the deprecation of a person. */
let begun: State;
let deprived: State & { readonly lost: string };

interface State {
  readonly remote: string;
  readonly served: string;
}

function copyOf(state: State): State {
  const folder = temporaryFolder();
  cpSync(state.remote, join(folder, 'index.git'), { recursive: true });
  cpSync(state.served, join(folder, 'served'), { recursive: true });
  return { remote: join(folder, 'index.git'), served: join(folder, 'served') };
}

beforeAll(async () => {
  const folder = temporaryFolder();
  const bare = join(folder, 'index.git');
  mkdirSync(bare);
  await git(bare, 'init', '--quiet', '--bare', '--initial-branch=main');
  remote = bare;
  run = runCli;
  served = temporaryFolder();
  const root = createRoot({ releasesUrl: 'https://releases.example.org', hosting: 'files' });
  root.write('.gitignore', 'dist/\n.cache/\n');
  root.write('components/n4.json', definition({ sources }));
  await git(root.dir, 'init', '--quiet', '--initial-branch=main');
  await git(root.dir, 'config', 'user.name', 'Jane');
  await git(root.dir, 'config', 'user.email', 'jane@example.com');
  await commit(root.dir, 'Begin');
  await git(root.dir, 'push', '--quiet', remote, 'main');
  begun = { remote, served };
  ({ remote, served } = copyOf(begun));
  const { lost } = await loseEdit({ deprecated: [bad] });
  deprived = { remote, served, lost };
});

beforeEach(() => {
  run = runCli;
  ({ remote, served } = copyOf(begun));
});

/** Serves the repository. Commands run in processes of their own, as they would block the server. */
async function serveRepository(): Promise<void> {
  await git(remote, 'config', 'http.receivepack', 'true');
  const folder = dirname(remote);
  const server = await startUpstream(() => gitServer(folder));
  onTestFinished(server.close);
  remote = `${server.url}index.git`;
  run = (args) => runCli(args, { onStart: () => undefined });
}

/** Publishes a first day, an edit by a person, and loses the commits of the latter. */
async function loseEdit(about: object): Promise<{ lost: string }> {
  const staying = await clone();
  expect((await daily(staying, '2026-08-18', '--push')).status).toBe(0);
  const first = await git(staying, 'rev-parse', 'HEAD');
  writeIn(staying, 'components/n4.json', definition({ sources, ...about }));
  await commit(staying, 'Edit n4');
  expect((await daily(staying, '2026-08-19', '--push')).status).toBe(0);
  const lost = await git(staying, 'rev-parse', 'HEAD');
  await git(staying, 'push', '--quiet', '--force', remote, `${first}:main`);
  return { lost };
}

/** Goes on where the deprecation was lost. */
function loseDeprecation(): { lost: string } {
  ({ remote, served } = copyOf(deprived));
  expect(live('latest/n4.txt')).toBe('2.9.1\n');
  return deprived;
}

test('a fresh checkout after a force-push undoes no deprecation by a person', async () => {
  loseDeprecation();
  await serveRepository();
  const before = liveEvents();
  const fresh = await clone();
  const head = await git(fresh, 'rev-parse', 'HEAD');

  const ran = await daily(fresh, '2026-08-20', '--push');

  expect(ran.status).toBe(1);
  expect(ran.stderr).toMatch(
    /error: live site: has 1 event that the journals lack: n4\/5 \(deprecated 2\.9\.2 2026-08-19T\S+\)\. Nothing was recorded or published\. .*restore the lost commits/,
  );
  expect(live('latest/n4.txt')).toBe('2.9.1\n');
  expect(liveEvents()).toEqual(before);
  expect(await git(fresh, 'rev-parse', 'HEAD')).toBe(head);
  expect(await git(fresh, 'status', '--porcelain')).toBe('?? data/held.json');
  expect(readJsonIn(fresh, '.cache/daily.json')).toMatchObject({
    attention: [{ kind: 'publish', cause: 'live site' }],
  });
  expect(readJsonIn(fresh, 'data/held.json')).toMatchObject({
    held: [
      {
        id: expect.stringMatching(/^publication-[0-9a-f]{10}$/),
        kind: 'publication',
        since: '2026-08-20',
        causes: ['live site'],
        reason: expect.stringContaining('has 1 event that the journals lack: n4/5 (deprecated'),
        command: 'npx release-index accept history',
      },
    ],
  });
}, 120_000);

test('the restored commits are a remedy', async () => {
  const { lost } = loseDeprecation();
  const fresh = await clone();
  await daily(fresh, '2026-08-20', '--push');

  await git(fresh, 'fetch', '--quiet', 'origin', lost);
  await git(fresh, 'reset', '--quiet', '--hard', lost);
  const ran = await daily(fresh, '2026-08-20');

  expect(ran.status).toBe(0);
  expect(live('latest/n4.txt')).toBe('2.9.1\n');
});

test('accepted as it is, the history goes on with ids above the published ones', async () => {
  loseDeprecation();
  const fresh = await clone();

  const accepted = await run([
    ...['accept', 'history', '--root', fresh, '--as-of', '2026-08-20', '--to', served],
  ]);
  expect(accepted.stdout).toMatch(
    /^history: accepted as of \w{10}\. Ids of events go on above n4\/5\.\n/,
  );
  await commit(fresh, 'Accept the history');
  writeIn(
    fresh,
    'components/n4.json',
    definition({ sources, deprecated: [{ ...bad, versions: ['2.8.0'] }] }),
  );
  await commit(fresh, 'Deprecate 2.8.0');
  const days = [];
  for (const day of ['2026-08-20', '2026-08-21']) {
    days.push((await daily(fresh, day, '--push')).status);
  }

  expect(days).toEqual([0, 0]);
  expect(live('latest/n4.txt')).toBe('2.9.2\n');
  expect(liveEvents().map(({ id, type, version }) => [id, type, version])).toEqual([
    ['n4/6', 'deprecated', '2.8.0'],
    ...versions.map((version, place) => [`n4/${place + 1}`, 'released', version]).reverse(),
  ]);
  expect((await run(['check', '--root', fresh])).status).toBe(0);
});
