import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { listRuns } from '../../../src/io/files/recorded-files.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import type { Decision } from '../../../src/core/schemas/recorded/waits.ts';
import { readLastRun } from '../../../src/record/gate/last-run.ts';
import {
  computeDecisionInstant,
  findLastAcceptedOn,
  listOpenDecisions,
  listUsedDecisions,
  saveDecisions,
} from '../../../src/record/gate/decisions.ts';
import { checkout } from '../../harness/checkout.ts';
import { copyIndexInGit, openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, pathsIn, temporaryFolder } from '../../harness/root.ts';

const runs = 'data/runs/2026.ndjson';
const releases = [{ version: '1.0' }, { version: '1.1' }, { version: '1.2' }];
let recorded: IndexInGit;

/** Two runs, of which the second has something that waits. */
beforeAll(async () => {
  recorded = openIndexInGit();
  addComponent(recorded.root, 'svc', releases);
  recorded.commit();
  await recorded.run('record', '2026-06-01');
  recorded.commit('Record');
  addComponent(recorded.root, 'svc', releases, {
    deprecated: [{ versions: '*', reason: 'A slip.' }],
  });
  recorded.commit('Slip');
  await recorded.run('record', '2026-06-02');
  recorded.commit('Record again');
});

type Edit = (index: IndexInGit) => unknown;

const read = ({ root }: IndexInGit) => readLastRun(openRoot(root.dir, checkout), process.env);
const commit = (name: string, { git } = recorded) => git('rev-parse', name);

function edited(edit: Edit): IndexInGit {
  const index = copyIndexInGit(recorded);
  edit(index);
  return index;
}

test('compares with the commits of the last run, and names what waited with its losses', () => {
  const items = releases.map(({ version }) => `${version} deprecated`);

  expect(read(recorded)).toEqual({
    findings: [],
    lastRun: {
      commit: commit('HEAD~1'),
      dataCommit: commit('HEAD'),
      at: '2026-06-02T00:00:00.000Z',
      waits: [expect.objectContaining({ component: 'svc', kind: 'change', items })],
      used: [],
      accepted: new Set(),
      changed: new Set(),
    },
  });
});

test('a later run repeats the losses of what waits, and its waiting ends with the edit', async () => {
  const index = copyIndexInGit(recorded);
  const waits: (string[] | undefined)[][] = [];
  for (const [day, about] of [
    ['2026-06-03', { title: 'Server', deprecated: [{ versions: '*', reason: 'A slip.' }] }],
    ['2026-06-04', {}],
  ] as const) {
    addComponent(index.root, 'svc', releases, about);
    index.commit('Edit');
    await index.run('record', day);
    index.commit('Record');
    waits.push(read(index).lastRun!.waits.map(({ items }) => items));
  }

  expect(waits).toEqual([[releases.map(({ version }) => `${version} deprecated`)], []]);
});

test('what only a later run that no commit holds tells is left out', () => {
  const index = edited(rewrite((run) => ({ ...run, id: 'abcdefghijklm' })));

  expect(read(index).lastRun!.waits).toEqual([]);
});

test('finds a run whose instant is in the year after its day in the file of its day', () => {
  const index = edited(rewrite((run) => ({ ...run, at: '2027-01-01T00:00:00.000Z' })));

  expect(read(index).lastRun!.dataCommit).toBe(commit('HEAD'));
});

test('names the files that differ, committed or not', () => {
  const index = edited(({ root, git, commit: save }) => {
    root.configure({ title: 'Another' });
    addComponent(root, 'agent', releases);
    git('mv', 'components/svc.json', 'components/server.json');
    save();
    root.write('components/edge-node.json', '{}');
    root.write('data/svc.json', '{}');
    root.write('notes.md', 'Nothing.');
  });

  expect([...read(index).lastRun!.changed].sort()).toEqual([
    'components/agent.json',
    'components/edge-node.json',
    'components/server.json',
    'components/svc.json',
    'data/agent.json',
    'data/svc.json',
    'site/site.json',
  ]);
});

const cut: Edit = ({ root }) => root.write(runs, `${root.read(runs).split('\n')[0]}\n`);
const squash: Edit = ({ git }) => {
  git('checkout', '--quiet', '--orphan', 'squashed');
  git('commit', '--quiet', '--message', 'Squash');
};
const forget: Edit = ({ root, commit: save }) => {
  rmSync(join(root.dir, 'data'), { recursive: true });
  save();
};
const leave: Edit = ({ root }) => rmSync(join(root.dir, '.git'), { recursive: true });
const rewrite =
  (change: (run: Record<string, unknown>) => object): Edit =>
  ({ root }) => {
    const [first, last] = root.read(runs).trimEnd().split('\n');
    root.write(runs, `${first}\n${JSON.stringify(change(JSON.parse(last!) as never))}\n`);
  };
/** Adds made-up runs, by default of the commit that is to be let through. */
const forge =
  (file: string, count: number, made?: string): Edit =>
  (index) => {
    const [, last] = index.root.read(runs).trimEnd().split('\n');
    const about = { ...(JSON.parse(last!) as object), commit: made ?? commit('HEAD', index) };
    const forged = Array.from({ length: count }, (_, number) =>
      JSON.stringify({ ...about, id: `forged${String(number).padStart(7, '0')}` }),
    );
    const before = file === runs ? index.root.read(runs) : '';
    index.root.write(file, `${before}${forged.join('\n')}\n`);
    index.commit('Forge');
  };
const start = (index: IndexInGit, id: string) =>
  index.root.write(
    'data/decisions.ndjson',
    [id, 'c'.repeat(40), undefined]
      .map((one) => ({ id: 'history', at: '2026-06-03T06:00:00.000Z', by: 'Jane', commit: one }))
      .map((decision) => `${JSON.stringify(decision)}\n`)
      .join(''),
  );

test.each<[string, Edit, string]>([
  ['a run that is gone', cut, 'HEAD~3 HEAD~2'],
  ['a run without a commit', rewrite(({ commit: _, ...run }) => run), 'HEAD~3 HEAD~2'],
  [
    'a run of a commit that nobody has',
    rewrite((run) => ({ ...run, commit: 'c'.repeat(40) })),
    'HEAD~3 HEAD~2',
  ],
  [
    'a run that no commit holds',
    rewrite((run) => ({ ...run, id: 'abcdefghijklm' })),
    'HEAD~3 HEAD~2',
  ],
  ['forty runs of commits that nobody has', forge(runs, 40, 'c'.repeat(40)), 'HEAD~1 HEAD'],
  ['a run in the file of another year', forge('data/runs/9999.ndjson', 1), 'HEAD~1 HEAD'],
  [
    'a run whose line was removed and added again',
    (index) => {
      const text = index.root.read(runs);
      cut(index);
      index.commit('Remove');
      index.root.write(runs, text);
      index.commit('Add again');
    },
    'HEAD~1 HEAD',
  ],
])('%s', (_, edit, expected) => {
  const { lastRun } = read(edited(edit));
  const [definitions, data] = expected.split(' ');

  expect(lastRun).toMatchObject({ commit: commit(definitions!), dataCommit: commit(data!) });
});

const accept =
  'Restore data/ and its commits from git. If the present state is right: npx release-index accept history';
const stop = (why: string, remedy = accept) =>
  `error gate: cannot compare with the last run: ${why}. Nothing was recorded or published. ${remedy}`;
const begin =
  'notice gate: no commit holds an earlier run. Definitions and data are accepted without comparison';
const clone =
  'Run it in a clone. To begin a repository here with the present state: git init && git add . && git commit -m Begin && npx release-index accept history';
const lost = 'the history lacks the commits of all recorded runs';
const outside = 'the index has runs, but no git repository with a commit';

test.each<[string, Edit, string[]]>([
  ['a squashed history', squash, [stop(lost)]],
  ['data that was removed', forget, [stop(lost)]],
  [
    'runs that were removed, with journals left',
    ({ git, commit: save }) => (git('rm', '-r', '--quiet', 'data/runs'), save()),
    [stop(lost)],
  ],
  ['data that was removed, and squashed', (index) => (forget(index), squash(index)), [begin]],
  ['no repository', leave, [stop(outside, clone)]],
  [
    'no repository and no runs',
    (index) => (leave(index), rmSync(join(index.root.dir, 'data/runs'), { recursive: true })),
    [stop(outside, clone)],
  ],
  [
    'no repository and no journals',
    (index) => (leave(index), rmSync(join(index.root.dir, 'data/journal'), { recursive: true })),
    [stop(outside, clone)],
  ],
  [
    'no repository, no runs and no journals',
    (index) => (leave(index), rmSync(join(index.root.dir, 'data'), { recursive: true })),
    [begin],
  ],
  [
    'runs that cannot be read',
    ({ root }) => root.write(runs, '{\n{}\n'),
    [expect.stringContaining(`error ${runs}: line 1`) as never, stop('data/runs/ cannot be read')],
  ],
  [
    'a squashed history, with decisions that cannot be read',
    (index) => (squash(index), index.root.write('data/decisions.ndjson', '{\n{}\n')),
    [expect.stringContaining('error data/decisions.ndjson: line 1: not JSON') as never],
  ],
  [
    'an incomplete clone whose origin is gone',
    (index) => {
      const from = temporaryFolder();
      rmSync(join(index.root.dir, '.git'), { recursive: true });
      recorded.git('clone', '--quiet', '--bare', recorded.root.dir, from);
      recorded.git(
        'clone',
        '--quiet',
        '--bare',
        '--depth',
        '1',
        `file://${from}`,
        join(index.root.dir, '.git'),
      );
      index.git('config', 'core.bare', 'false');
      rmSync(from, { recursive: true });
    },
    [
      expect.stringMatching(
        /^error gate: cannot compare with the last run: git fetch: .+ The next run tries again$/,
      ) as never,
    ],
  ],
])('there is nothing to compare with after %s', (_, edit, findings) => {
  const { lastRun, findings: found } = read(edited(edit));
  const lines = found.map(({ level, subject, message, kind }) => {
    const isCut = message.includes('npx release-index accept history');
    expect(kind).toBe(isCut ? 'cut history' : undefined);
    return `${level} ${subject}: ${message}`;
  });

  expect([lastRun, lines]).toEqual([undefined, findings]);
});

test('a person starts from the last commit that is in the history', () => {
  const index = edited(squash);
  const head = commit('HEAD', index);
  start(index, head);
  addComponent(index.root, 'agent', releases);

  expect(read(index)).toMatchObject({
    findings: [],
    lastRun: {
      ...{ commit: head, dataCommit: head, waits: [], used: [] },
      changed: new Set(['data/decisions.ndjson', 'components/agent.json', 'data/agent.json']),
    },
  });
});

test('a start from a commit opens no decision that an earlier run used', () => {
  const id = 'svc-0000000001';
  const index = edited((copy) => {
    rewrite((run) => ({ ...run, accepted: [id] }))(copy);
    squash(copy);
  });
  const head = commit('HEAD', index);
  const decisions = [
    { id, at: '2026-06-01T06:00:00.000Z', by: 'Jane' },
    { id: 'history', at: '2026-06-03T06:00:00.000Z', by: 'Jane', commit: head },
  ];
  index.root.write(
    'data/decisions.ndjson',
    decisions.map((decision) => `${JSON.stringify(decision)}\n`).join(''),
  );

  expect(read(index).lastRun).toMatchObject({
    ...{ commit: head, waits: [], used: [{ id, on: '2026-06-02' }] },
    accepted: new Set(['history']),
  });
});

test('each decision counts once, on the day of the run that used it, and can be made again', async () => {
  const root = openRoot(copyIndexInGit(recorded).root.dir, checkout);
  const [first, second, third] = ['svc-0000000001', 'svc-0000000002', 'svc-agent-0000000001'];
  const decide = (id: string, day: number): Decision => ({
    ...{ id, at: `2026-06-0${day}T05:00:00.000Z`, by: 'Jane' },
  });
  const run = (day: number, ...accepted: (string | undefined)[]) => ({
    asOf: `2026-06-0${day}`,
    finishedAt: `2026-06-0${day}T06:10:00.000Z`,
    accepted,
  });
  await saveDecisions(root, [decide(first!, 2), decide(second!, 2)]);
  await saveDecisions(root, [decide(first!, 3)]);
  const used = listUsedDecisions([run(2, first), run(3), run(4, second, third)] as never);

  expect(pathsIn(root.dir).filter((path) => path.endsWith('.lock'))).toEqual([]);
  expect([...listOpenDecisions(root, [])]).toEqual([first, second]);
  expect([...listOpenDecisions(root, used.slice(0, 1))]).toEqual([first, second]);
  expect([...listOpenDecisions(root, used)]).toEqual([first]);
  expect([...listOpenDecisions(root, [...used, ...used])]).toEqual([]);
  expect(
    [['svc'], ['server', 'svc-agent'], ['agent']].map((names) => findLastAcceptedOn(used, names)),
  ).toEqual(['2026-06-04', '2026-06-04', undefined]);
});

test.each<[string, number[], string[]]>([
  ['made twice before its use', [1, 1], []],
  ['made again after its use', [1, 1, 3], ['svc-0000000001']],
  ['made by a clock that is ahead', [3], []],
  ['made twice by clocks that are ahead, as if again', [3, 3], ['svc-0000000001']],
])('a decision is used once: %s', async (_, days, open) => {
  const root = openRoot(copyIndexInGit(recorded).root.dir, checkout);
  const id = 'svc-0000000001';
  const decisions = days.map((day) => ({ id, at: `2026-06-0${day}T06:00:00.000Z`, by: 'Jane' }));
  await saveDecisions(root, decisions);

  const used = [{ id, on: '2026-06-02', at: '2026-06-02T06:10:00.000Z' }];

  expect([...listOpenDecisions(root, used)]).toEqual(open);
});

test('a decision is open where the clock is behind the run that used one before', async () => {
  const { root: folder } = copyIndexInGit(recorded);
  const root = openRoot(folder.dir, checkout);
  const id = 'svc-0000000001';
  await saveDecisions(root, [{ id, at: '2026-06-02T05:00:00.000Z', by: 'Jane' }]);
  const run = { ...listRuns(root).runs.at(-1), accepted: [id] };
  appendFileSync(
    join(folder.dir, runs),
    `${JSON.stringify({ ...run, finishedAt: '2999-06-02T06:10:00.000Z' })}\n`,
  );
  const used = listUsedDecisions(listRuns(root).runs);
  const before = listOpenDecisions(root, used).size;

  const at = computeDecisionInstant(root);
  await saveDecisions(root, [{ id, at, by: 'Jane' }]);

  expect([before, at]).toEqual([0, '2999-06-02T06:10:00.001Z']);
  expect([...listOpenDecisions(root, used)]).toEqual([id]);
});
