import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { accessTo, keyOf, recorded } from '../../ask/server/access/private-index.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, identitiesIn, readJsonIn, temporaryFolder } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';
import { openIndex, type TestIndex } from './index-of-three.ts';

/* The first days of an index. Each builds on the day before. */
let index: TestIndex;
let sumsOfDay2: string;
const changed = () => index.git('diff', '--name-only', 'HEAD~1', 'HEAD').split('\n');
const statusOf = (name: string) =>
  readJsonIn<StatusFile>(index.served, 'status.json').components[name];
const five = ['2026.1', '2026.2', '2026.3', '2026.4', '2026.5'];

beforeAll(async () => {
  index = await openIndex();
});

afterAll(() => index.close());

test('day 1, a step of a job, records, commits and pushes every release, and publishes the site', async () => {
  const { git, served, versions } = index;
  const [summary, outputs] = [
    join(temporaryFolder(), 'summary'),
    join(temporaryFolder(), 'outputs'),
  ];
  for (const file of [summary, outputs]) {
    writeFileSync(file, '');
  }
  const ofJob = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs };

  const { status, stderr } = await index.runDay('2026-11-16', ofJob);

  expect(stderr).not.toContain('error:');
  expect(status).toBe(0);
  expect(git('log', '-1', '--format=%B').trim()).toBe(
    [
      'Record 8 releases',
      '',
      '- edge-node: released 1.0, 1.1',
      '- svc: released 2026.1, 2026.2, 2026.3, 2026.4, 2026.5',
      '- svcctl: released 3.0',
    ].join('\n'),
  );
  expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'origin/main'));
  expect(git('status', '--porcelain')).toBe('');
  expect(readJsonIn(served, 'index.json')).toEqual(['edge-node', 'svc', 'svcctl']);
  expect(versions('svc')).toEqual(five);
  for (const name of ['built', 'public', 'published']) {
    expect(readFileSync(outputs, 'utf8')).toMatch(new RegExp(`${name}<<\\S+\ntrue\n`));
  }
  expect(readFileSync(summary, 'utf8')).toMatch(/^ {4}daily: committed \w+: Record /m);
  expect(readFileSync(summary, 'utf8')).toMatch(/^ {4}edge-node +1\.1 .* live$/m);
});

test('day 2 names a new release, and commits only its own files', async () => {
  const { git, root, packages } = index;
  packages.svc.push('2026.6');
  writeFileSync(join(root.dir, 'notes.md'), 'a draft');
  git('add', 'notes.md');

  const { status, stdout } = await index.runDay('2026-11-17');

  sumsOfDay2 = readFileSync(join(index.served, 'SHA256SUMS'), 'utf8');
  expect(status).toBe(0);
  expect(git('log', '-1', '--format=%s')).toBe('Record svc 2026.6');
  expect(stdout).toMatch(/^daily: committed \w+: Record svc 2026\.6$/m);
  for (const file of git('show', '--name-only', '--format=', 'HEAD').split('\n')) {
    expect(file).toMatch(/^data\//);
  }
  expect(git('status', '--porcelain')).toBe('A  notes.md');
  expect(index.versions('svc')).toContain('2026.6');
  git('rm', '--quiet', '--force', 'notes.md');
});

test('day 3, with one upstream closed, accepts the other answers and raises no alert', async () => {
  index.upstream.closed = 'edge-node';
  index.packages.svcctl.push('3.1');

  const { status, stdout, stderr } = await index.runDay('2026-11-18');

  expect(status).toBe(0);
  expect(index.git('log', '-1', '--format=%s')).toBe('Record svcctl 3.1');
  expect(index.versions('svcctl')).toEqual(['3.0', '3.1']);
  expect(index.versions('edge-node')).toEqual(['1.0', '1.1']);
  expect(index.state('edge-node')).toBe('stale');
  expect(changed()).toContain('data/freshness/edge-node.json');
  expect(stderr).toContain('warning: edge-node (npm:edge-node): ');
  expect(stdout).toMatch(/^edge-node +1\.1 .* stale$/m);
  expect(stderr).not.toContain('error: ');
});

test('day 4, with nothing new, adds the line of its run and changes no other file', async () => {
  const { status } = await index.runDay('2026-11-19');

  expect(status).toBe(0);
  expect(index.git('log', '-1', '--format=%s')).toBe('Check 3 components: nothing new');
  expect(changed()).toEqual(['data/runs/2026.ndjson']);
  const run = index.root.read('data/runs/2026.ndjson').trimEnd().split('\n').at(-1)!;
  expect(JSON.parse(run)).toMatchObject({
    ...{ asOf: '2026-11-19', asked: 3, answered: 2, events: 0 },
    troubles: [{ component: 'edge-node', source: 'npm:edge-node', kind: 'failed' }],
  });
  expect(statusOf('edge-node')).toMatchObject({
    ...{ state: 'stale', lastChecked: '2026-11-19', consecutiveFailures: 2 },
    troubles: [{ source: 'npm:edge-node', lastAnswered: '2026-11-17', failures: 2 }],
  });
  expect(statusOf('svc')).toMatchObject({ lastChecked: '2026-11-19', consecutiveFailures: 0 });
});

test('day 5 holds a list that has shrunk, raises an alert, and publishes the others', async () => {
  const { packages, root, versions, state } = index;
  index.upstream.closed = undefined;
  packages.svc = ['2026.1', '2026.2', '2026.3'];
  expect((await index.runDay('2026-11-20')).status).toBe(0);
  packages['edge-node'].push('1.2');

  const { status, stderr } = await index.runDay('2026-11-21');

  expect(status).toBe(1);
  expect(versions('svc')).toEqual([...five, '2026.6']);
  expect(versions('edge-node')).toEqual(['1.0', '1.1', '1.2']);
  expect([state('svc'), state('edge-node')]).toEqual(['held', 'live']);
  expect(statusOf('edge-node')).toMatchObject({ consecutiveFailures: 0 });
  expect(stderr).toContain(
    'error: npm:svc (svc): waits since 2026-11-21: the latest release would fall from 2026.5 to 2026.3; ',
  );
  expect(stderr).toMatch(
    /npx release-index accept svc-[0-9a-f]{10}, and commit data\/decisions\.ndjson/,
  );
  expect(index.git('log', '-1', '--format=%s')).toBe(
    'Withdraw svc 2026.6, hold 1 change, record edge-node 1.2',
  );
  expect(JSON.parse(root.read('.cache/daily.json'))).toMatchObject({
    attention: [{ kind: 'held', components: ['svc'] }],
  });
});

test('day 6 takes back what was pulled, and day 7, with nothing new, records the check; run again, it writes nothing', async () => {
  const { git } = index;
  index.packages.svc = [...five, '2026.6'];
  expect((await index.runDay('2026-11-21')).stdout).toContain('svc 2026.6: returned');

  const day = await index.runDay('2026-11-22');

  expect(day.status).toBe(0);
  expect(day.stdout).toContain('record: nothing new.\n');
  expect(git('log', '-1', '--format=%s')).toBe('Check 3 components: nothing new');
  expect(index.state('svc')).toBe('live');
  expect(readJsonIn(index.served, 'status.json')).toMatchObject({ asOf: '2026-11-22' });
  const before = [git('rev-parse', 'HEAD'), identitiesIn(index.served)];

  const again = await index.runDay('2026-11-22');

  expect(again.status).toBe(0);
  expect(again.stdout).toContain('daily: nothing to commit.');
  expect([git('rev-parse', 'HEAD'), identitiesIn(index.served)]).toEqual(before);
});

test('an earlier day is built again byte for byte from its commit', async () => {
  const commit = index.git('log', '--format=%H', '--grep=Record svc 2026.6');
  const folder = join(index.remote, 'earlier');
  index.git('worktree', 'add', '--quiet', folder, commit);

  const built = await run(['build', '--root', folder, '--as-of', '2026-11-17']);

  expect(built.status).toBe(0);
  expect(readFileSync(join(folder, 'dist/SHA256SUMS'), 'utf8')).toBe(sumsOfDay2);
});

test('a day on which an access key ends soon names the key once, also if the site is not published', async () => {
  const { root, commit } = openIndexInGit();
  const host = await startUpstream(() => serve(new Map()));
  onTestFinished(() => host.close());
  root.configure({ releasesUrl: host.url.replace(/\/$/, ''), hosting: undefined });
  root.write('site/access.json', { ...accessTo('mcp'), externalOauth: undefined });
  addComponent(root, 'svc', [{ version: '1.0' }]);
  commit();
  const keys = [recorded(keyOf('a'), 'jane', '2026-12-01'), recorded(keyOf('b'))];
  const cause = 'RELEASE_INDEX_ACCESS_KEYS';

  const runWith = (env: Record<string, string>, ...more: readonly string[]) =>
    run(['daily', '--root', root.dir, '--as-of', '2026-11-21', ...more], {
      [cause]: JSON.stringify(keys),
      ...env,
    });
  const day = await runWith({});

  const message =
    'key-aaa (jane) expires after 2026-12-01. To replace it: npx release-index key new --user jane --expires <day>';
  expect(JSON.parse(root.read('.cache/daily.json'))).toMatchObject({
    attention: [{ kind: 'key', cause, message }, { kind: 'publish' }],
    publication: 'refused',
  });
  expect(day.stderr.split('\n').filter((line) => line.includes('key-aaa'))).toEqual([
    `warning: ${cause}: ${message}`,
  ]);

  // A publication that cannot begin has the same keys.
  const credentials = { CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_ACCOUNT_ID: 'a'.repeat(32) };
  await runWith({}, '--stage', 'build');
  await runWith({ ...credentials, RELEASE_INDEX_KEY: 'é' }, '--stage', 'publish');
  expect(JSON.parse(root.read('.cache/daily.json'))).toMatchObject({
    attention: [
      { kind: 'key', cause, message },
      { message: 'expected an access key, as "key new" shows it' },
    ],
  });
});
