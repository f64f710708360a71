import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { HeldChange } from '../../../src/core/schemas/recorded/waits.ts';
import { ownProgram } from '../../harness/cli.ts';
import { copyIndexInGit, openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { definition, filesIn, readJsonIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

const versions = ['1.0', '1.1', '2.0', '2.1', '3.0', '3.1', '4.0', '4.1'];
const sources = [{ datasource: 'static', releases: versions.map((version) => ({ version })) }];
const bad = { versions: '<4.1', reason: 'A slip.' };

let recorded: IndexInGit;
let index: IndexInGit;

const write = (more: object = {}) =>
  index.root.write('components/svc.json', definition({ sources, ...more }));
/** All that runs record and publish. */
const state = () => {
  const { 'held.json': _, ...data } = filesIn(join(index.root.dir, 'data'));
  return [data, filesIn(index.served)];
};

beforeAll(async () => {
  recorded = openIndexInGit();
  index = recorded;
  write();
  index.commit();
  expect((await index.run('daily', '2026-06-01')).status).toBe(0);
});

beforeEach(() => {
  index = copyIndexInGit(recorded);
});

const asJane = {
  PATH: process.env['PATH'],
  ...{ GIT_AUTHOR_NAME: 'Jane', GIT_AUTHOR_EMAIL: 'jane@example.com' },
  ...{ GIT_COMMITTER_NAME: 'Jane', GIT_COMMITTER_EMAIL: 'jane@example.com' },
};

/** For the commits of runs in a new repository. */
function nameJane({ git }: IndexInGit): void {
  git('config', 'user.name', 'Jane');
  git('config', 'user.email', 'jane@example.com');
}

/** The same files, without the commits that the recorded runs name. */
function squash(): void {
  index.git('checkout', '--quiet', '--orphan', 'squashed');
  index.git('commit', '--quiet', '--message', 'Squash');
}

function removeAll(): void {
  index.git('rm', '-r', '--quiet', 'data');
  index.commit('Forget');
  rmSync(join(index.root.dir, 'data'), { recursive: true, force: true });
}

test.each([
  ['history that was squashed', squash],
  ['data that was removed as a whole', removeAll],
])('%s: nothing is recorded or published', async (_, spoil) => {
  spoil();
  write({ deprecated: [bad] });
  index.commit('Slip');
  const [before, head] = [state(), index.git('rev-parse', 'HEAD')];

  for (const verb of ['publish', 'record', 'daily']) {
    expect(state()).toEqual(before);

    const { status, stderr } = await index.run(verb, '2026-06-02');
    expect(status, verb).toBe(1);
    expect(stderr, verb).toMatch(/accept history|has 8 events that the journals lack/);
  }

  const [stop, ...others] = index.held();
  expect(others).toEqual([]);
  expect(stop).toMatchObject({
    kind: expect.stringMatching(/^(?:history|publication)$/),
    since: '2026-06-02',
    command: 'npx release-index accept history',
  });

  // The list for people is all that it writes.
  rmSync(join(index.root.dir, 'data/held.json'));
  expect(filesIn(index.served)).toEqual(before[1]);
  expect(index.git('rev-parse', 'HEAD')).toBe(head);
  expect(index.git('status', '--porcelain')).toBe('');
});

test.each([
  ['changed', 'components/svc.json', () => write({ title: 'Another' })],
  [
    'new',
    'components/agent.json',
    () => index.root.write('components/agent.json', definition({ sources })),
  ],
])(
  '%s files of the index that are not committed stop the day, but not the plan',
  async (_, file, edit) => {
    const before = state();
    edit();

    const { status, stderr } = await index.run('daily', '2026-06-02');
    const planned = await index.run('plan', '2026-06-02');

    expect([status, planned.status], stderr + planned.stderr).toEqual([1, 0]);
    expect(stderr).toContain(
      `error: ${file}: is not committed, and only what the history holds is published`,
    );
    expect(state()).toEqual(before);
  },
);

test('outside a repository, nothing is recorded or published until the command of the message began one', async () => {
  rmSync(join(index.root.dir, '.git'), { recursive: true });
  write({ deprecated: [bad] });
  const before = state();
  let remedy = '';

  for (const verb of ['daily', 'record', 'plan']) {
    const { status, stderr } = await index.run(verb, '2026-06-02');
    expect(status, verb).toBe(1);
    [remedy = ''] = /git init && .*$/m.exec(stderr) ?? [];
    expect(remedy, verb).not.toBe('');
  }
  expect(state()).toEqual(before);

  const here = `${remedy.replace('npx release-index', `node ${ownProgram}`)} --root .`;
  execFileSync('sh', ['-c', here], { cwd: index.root.dir, env: asJane, stdio: 'pipe' });
  nameJane(index);

  for (const day of ['2026-06-02', '2026-06-03']) {
    const { status, stderr } = await index.run('daily', day);
    expect(status, stderr).toBe(0);
    expect(stderr).not.toContain('cannot compare');
  }

  expect(index.git('status', '--porcelain')).toBe('');
});

test('the list of what waits names a cut history since its first day; its command starts from the present commit', async () => {
  squash();
  expect((await index.run('daily', '2026-06-02')).stderr).toContain(
    'error: gate: cannot compare with the last run: the history lacks the commits of all recorded runs. ' +
      'Nothing was recorded or published. Restore data/ and its commits from git. ' +
      'If the present state is right: npx release-index accept history',
  );

  await index.run('daily', '2026-06-03');
  expect(index.held()).toMatchObject([
    {
      id: expect.stringMatching(/^history-[0-9a-f]{10}$/),
      since: '2026-06-02',
      causes: ['data/runs'],
      command: 'npx release-index accept history',
    },
  ]);
  expect((await index.run('check', '2026-06-03')).stderr).not.toContain('error: data/held.json');

  const accepted = await index.run('accept history', '2026-06-03');
  expect(accepted.stdout).toMatch(/^history: accepted as of [0-9a-f]{10}\.\n/);
  index.git('add', 'data/decisions.ndjson');
  index.git('commit', '--quiet', '--message', 'Accept');
  expect((await index.run('daily', '2026-06-03')).status).toBe(0);
  expect(index.git('status', '--porcelain')).toBe('');
  expect(index.git('ls-files', 'data/held.json')).toBe('');

  write({ deprecated: [bad] });
  index.commit('Slip');
  const slipped = await index.run('daily', '2026-06-03');
  write();
  index.commit('Take back');
  const next = await index.run('daily', '2026-06-04');

  expect(slipped.status).toBe(1);
  expect(slipped.stderr).toMatch(
    /^error: components\/svc\.json@[0-9a-f]{10}: waits since 2026-06-03: /m,
  );
  expect(index.live('latest/svc.txt')).toBe('4.1\n');
  expect(next.status).toBe(0);
});

test('a history that can be compared with is not accepted', async () => {
  const { status, stderr } = await index.run('accept history', '2026-06-02');

  expect(status).toBe(1);
  expect(stderr).toContain('the last run is comparable');
  expect(index.git('status', '--porcelain')).toBe('');
});

test('a list of what waits that was removed lets nothing through', async () => {
  write({ deprecated: [bad] });
  index.commit('Slip');
  expect((await index.run('daily', '2026-06-02')).status).toBe(1);
  const waiting = readJsonIn<{ held: HeldChange[] }>(index.root.dir, 'data/held.json').held;
  index.git('rm', '--quiet', 'data/held.json');
  index.commit('Let it through');

  const { status, stderr } = await index.run('daily', '2026-06-03');

  // It is no news, so the run does not fail for it again.
  expect([status, stderr]).toEqual([0, expect.stringContaining(waiting[0]!.id)]);
  const after = readJsonIn<{ held: HeldChange[] }>(index.root.dir, 'data/held.json').held;
  expect(after.map(({ id, since }) => [id, since])).toEqual(
    waiting.map(({ id, since }) => [id, since]),
  );
  const { releases } = JSON.parse(index.live('svc.json')) as {
    releases: { isDeprecated: boolean }[];
  };
  expect(releases.some(({ isDeprecated }) => isDeprecated)).toBe(false);
});

test('a list of what waits that git ignores stops the run, and lets nothing through', async () => {
  write({ deprecated: [bad] });
  index.commit('Slip');
  await index.run('daily', '2026-06-02');
  const [{ id } = { id: '' }] = index.held();
  index.root.write('.gitignore', 'dist/\n.cache/\nheld.json\n');
  index.commit('Ignore it');

  const ignored = await index.run('daily', '2026-06-03');
  index.root.write('.gitignore', 'dist/\n.cache/\n');
  index.commit('Ignore it no more');
  const next = await index.run('daily', '2026-06-04');

  expect(ignored.status).toBe(1);
  expect(ignored.stderr).toContain('data/held.json: git ignores files of this name');
  expect([next.status, index.held()]).toMatchObject([0, [{ id, since: '2026-06-02' }]]);
  expect(index.live('latest/svc.txt')).toBe('4.1\n');
  expect(index.live('svc.json')).not.toContain('"isDeprecated":true');
});

test('a run to come, made up beside an edit, lets nothing through', async () => {
  write({ deprecated: [bad] });
  index.commit('Slip');
  const [last = ''] = index.root.read('data/runs/2026.ndjson').trimEnd().split('\n').slice(-1);
  const commit = index.git('rev-parse', 'HEAD');
  const forged = { id: 'forged0000000', commit, at: '2027-01-01T00:00:00.000Z' };
  index.root.write(
    'data/runs/2027.ndjson',
    `${JSON.stringify({ ...(JSON.parse(last) as object), ...forged })}\n`,
  );
  index.commit('Forge');

  for (const day of ['2026-06-02', '2026-06-03']) {
    expect((await index.run('daily', day)).status).toBe(1);
    expect(index.live('latest/svc.txt')).toBe('4.1\n');
    expect(index.live('svc.json')).not.toContain('"isDeprecated":true');
  }
});

test('data that a commit removed or emptied counts as loss', async () => {
  const before = index.live('svc.json');
  for (const spoil of [
    () => index.git('rm', '--quiet', 'data/svc.json'),
    () => index.root.write('data/svc.json', { releases: [] }),
  ]) {
    spoil();
    index.commit('Lose data');

    const { status } = await index.run('daily', '2026-06-02');

    expect(status).toBe(1);
    expect(index.live('svc.json')).toBe(before);
    index.git('revert', '--no-edit', 'HEAD');
  }
});

test('a first run needs a commit, begun by the command of its message, and has nothing to compare with', async () => {
  const fresh = openIndexInGit();
  fresh.root.write('components/svc.json', definition({ sources }));

  const uncommitted = await fresh.run('daily', '2026-06-01');
  rmSync(join(fresh.root.dir, '.git'), { recursive: true });
  const outside = await fresh.run('daily', '2026-06-01');
  const recorded = filesIn(join(fresh.root.dir, 'data'));
  const [, remedy = ''] = /^error: commit: there is none, .* Run: (.*)$/m.exec(outside.stderr)!;
  execFileSync('sh', ['-c', remedy], { cwd: fresh.root.dir, env: asJane, stdio: 'pipe' });
  nameJane(fresh);
  const { status, stderr } = await fresh.run('daily', '2026-06-01');

  expect(uncommitted).toMatchObject({ status: 1, stderr: outside.stderr });
  expect([outside.status, recorded]).toEqual([1, {}]);
  expect(status, stderr).toBe(0);
  expect(stderr).toContain('no commit holds an earlier run');
  expect(readFileSync(join(fresh.served, 'latest/svc.txt'), 'utf8')).toBe('4.1\n');
});

test('"record" by hand outside git says that no commit holds it, and how a repository begins', async () => {
  const fresh = openIndexInGit();
  fresh.root.write('components/svc.json', definition({ sources }));
  rmSync(join(fresh.root.dir, '.git'), { recursive: true });

  const { stderr } = await runHere(['record', '--as-of', '2026-06-01', '--root', fresh.root.dir]);
  const [, remedy = '', accept = ''] =
    /^warning: record: no commit holds this run, .* state: (.*) && npx release-index (.*)$/m.exec(
      stderr,
    )!;
  execFileSync('sh', ['-c', remedy], { cwd: fresh.root.dir, env: asJane, stdio: 'pipe' });
  nameJane(fresh);
  await runHere([...accept.split(' '), '--root', fresh.root.dir]);

  expect((await fresh.run('daily', '2026-06-02')).status).toBe(0);
  expect(readFileSync(join(fresh.served, 'latest/svc.txt'), 'utf8')).toBe('4.1\n');
});
