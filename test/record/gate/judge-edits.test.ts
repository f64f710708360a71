import { execFileSync } from 'node:child_process';
import { appendFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openRoot, type Root } from '../../../src/io/files/root.ts';
import { judgeEdits } from '../../../src/record/gate/judge-edits.ts';
import { checkout } from '../../harness/checkout.ts';
import { copyIndexInGit, openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { addComponent } from '../../harness/root.ts';
import { renameComponent } from '../../harness/runbook.ts';

const day = '2026-06-02';
const env = process.env;
const releases = Array.from({ length: 10 }, (_, minor) => ({
  version: `1.${minor}`,
  releaseTimestamp: `2026-01-${10 + minor}`,
  timestampKind: 'published',
}));
const bad = { deprecated: [{ versions: '<1.9', reason: 'A slip.' }] };

/** Two components that a run has recorded; one of them waits in the second index. */
let recorded: IndexInGit;
let waiting: IndexInGit;

beforeAll(async () => {
  recorded = openIndexInGit();
  addComponent(recorded.root, 'agent', releases);
  addComponent(recorded.root, 'svc', releases);
  recorded.commit();
  await recorded.run('record', '2026-06-01');
  recorded.commit('Record');

  waiting = copyIndexInGit(recorded);
  addComponent(waiting.root, 'svc', releases, bad);
  waiting.commit('Slip');
  await waiting.run('record', day);
  waiting.commit('Record');
});

type Edit = (index: IndexInGit) => unknown;

const open = ({ root }: IndexInGit): Root => openRoot(root.dir, checkout);
const judge = (index: IndexInGit) => judgeEdits({ root: open(index), env, day });
const commit = (index: IndexInGit, name: string) => index.git('rev-parse', name);
const at = (index: IndexInGit, file: string) => `${file}@${commit(index, 'HEAD').slice(0, 10)}`;

function edited(base: IndexInGit, edit: Edit, isCommitted = true): IndexInGit {
  const index = copyIndexInGit(base);
  edit(index);
  if (isCommitted && index.git('status', '--porcelain') !== '') {
    index.commit('Edit');
  }
  return index;
}

const define =
  (name: string, about: object): Edit =>
  ({ root }) =>
    addComponent(root, name, releases, about);
const write =
  (path: string, content: string | object): Edit =>
  ({ root }) =>
    root.write(path, content);
const remove =
  (...paths: string[]): Edit =>
  ({ root }) => {
    for (const path of paths) {
      rmSync(join(root.dir, path));
    }
  };
const removed = remove('components/svc.json', 'data/svc.json');

/** What waits, in short: component, kind, causes, and which commits count instead. */
function shorten(index: IndexInGit, base: IndexInGit = recorded): string[] {
  const [definitions, data] = ['HEAD~1', 'HEAD'].map((name) => commit(base, name));
  const names: Record<string, string> = { [definitions!]: 'definitions', [data!]: 'data' };
  return judge(index).waiting.map(({ component, kind, causes, commit: one, dataCommit }) =>
    [component, kind, ...causes.map((cause) => cause.replace(/@[0-9a-f]{10}$/, '@edit'))]
      .concat(one ? [`definition as of ${names[one]}`] : [])
      .concat(dataCommit ? [`data as of ${names[dataCommit]}`] : [])
      .join(', '),
  );
}

test('without an edit, nothing is judged', () => {
  const { waiting: waits, used, edits, findings, lastRun } = judge(recorded);

  expect([waits, used, [...edits], findings]).toEqual([[], [], [], []]);
  expect(lastRun).toMatchObject({
    commit: commit(recorded, 'HEAD~1'),
    dataCommit: commit(recorded, 'HEAD'),
    waits: [],
    used: [],
    changed: new Set(),
  });
});

const support = (months: number) => ({ support: { policy: 'term', months, line: 1 } });
const useDefault: Edit = ({ root }) => root.configure({ defaults: support(60) });

test.each<[string, Edit, boolean, Record<string, string>]>([
  ['a title', define('svc', { title: 'Another' }), true, { svc: 'components/svc.json@edit' }],
  [
    'a title that is not committed',
    define('svc', { title: 'Another' }),
    false,
    { svc: 'components/svc.json@uncommitted' },
  ],
  [
    'a name, in a file that git has not seen',
    (index) => (removed(index), define('server', { renamedFrom: ['svc'] })(index)),
    false,
    { server: 'components/server.json@uncommitted' },
  ],
  [
    'data',
    write('data/svc.json', { releases: [...releases, { version: '1.10' }] }),
    true,
    { svc: 'data/svc.json@edit' },
  ],
  [
    'a default',
    useDefault,
    true,
    { agent: 'site/site.json#defaults.support@edit', svc: 'site/site.json#defaults.support@edit' },
  ],
  [
    'a default that one states itself',
    (index) => (useDefault(index), define('svc', support(48))(index)),
    true,
    { agent: 'site/site.json#defaults.support@edit', svc: 'components/svc.json@edit' },
  ],
  ['another field of the site', ({ root }) => root.configure({ title: 'Another' }), true, {}],
  ['a new component', define('edge-node', {}), true, {}],
  ['a file of nobody', write('notes.md', 'Nothing.'), true, {}],
  [
    'a name',
    (index) => {
      removed(index);
      renameSync(
        join(index.root.dir, 'data/journal/svc.ndjson'),
        join(index.root.dir, 'data/journal/server.ndjson'),
      );
      define('server', { renamedFrom: ['svc'], title: 'The svc' })(index);
    },
    true,
    { server: 'components/server.json@edit' },
  ],
])('an edit of %s counts, with its cause', (_, edit, isCommitted, causes) => {
  const index = edited(recorded, edit, isCommitted);
  const { waiting: waits, edits, root } = judge(index);
  const found = Array.from(edits, ([name, { cause }]) => [
    name,
    cause.replace(/@[0-9a-f]{10}$/, '@edit'),
  ]);

  expect([waits, Object.fromEntries(found)]).toEqual([[], causes]);
  expect([root.lastGood, root.leftOut]).toEqual([new Map(), new Set()]);
  for (const { cause } of edits.values()) {
    expect(isCommitted ? [at(index, cause.split('@')[0]!)] : [cause]).toContain(cause);
  }
});

const journal = 'data/journal/svc.ndjson';
const freshness = 'data/freshness/svc.json';

test.each<[string, Edit, string[]]>([
  [
    'a loss',
    define('svc', bad),
    ['svc, change, components/svc.json@edit, definition as of definitions'],
  ],
  [
    'a loss of a default',
    ({ root }) => root.configure({ defaults: support(1) }),
    ['agent', 'svc'].map(
      (name) =>
        `${name}, change, site/site.json#defaults.support@edit, definition as of definitions`,
    ),
  ],
  [
    'lost data',
    write('data/svc.json', { releases: [] }),
    ['svc, change, data/svc.json@edit, definition as of definitions, data as of data'],
  ],
  [
    'a lost data file',
    remove('data/svc.json'),
    ['svc, change, data/svc.json@edit, definition as of definitions, data as of data'],
  ],
  [
    'a removed component',
    removed,
    ['svc, change, components/svc.json@edit, definition as of definitions, data as of data'],
  ],
  [
    'a component that was removed with its journal',
    (index) => (removed(index), remove(journal)(index)),
    ['svc, change, components/svc.json@edit, definition as of definitions, data as of data'],
  ],
  [
    'a removed definition',
    remove('components/svc.json'),
    ['svc, files, components/svc.json, definition as of definitions'],
  ],
  [
    'a broken definition',
    write('components/svc.json', '{'),
    ['svc, files, components/svc.json, definition as of definitions'],
  ],
  ['broken data', write('data/svc.json', '{'), ['svc, files, data/svc.json, data as of data']],
  ['broken freshness', write(freshness, '{'), [`svc, files, ${freshness}, data as of data`]],
  ['a broken journal', write(journal, '{\n'), [`svc, files, ${journal}, data as of data`]],
  [
    'a journal with a line that is none',
    ({ root }) => appendFileSync(join(root.dir, journal), '{"id":99}\n'),
    [`svc, files, ${journal}, data as of data`],
  ],
  [
    'broken data of a renamed component',
    (index) => (
      renameComponent(index.root.dir, 'svc', 'server'),
      write('data/server.json', '{')(index)
    ),
    ['server, files, data/server.json, definition as of definitions, data as of data'],
  ],
  ['an emptied journal', write(journal, ''), [`svc, files, ${journal}, data as of data`]],
  ['a lost journal', remove(journal), [`svc, files, ${journal}, data as of data`]],
  ['a longer journal', ({ root }) => appendFileSync(join(root.dir, journal), 'cut off'), []],
  [
    'a broken definition, and broken data',
    (index) => (write('components/svc.json', '{')(index), write('data/svc.json', '{')(index)),
    [
      'svc, files, components/svc.json, data/svc.json, definition as of definitions, data as of data',
    ],
  ],
  [
    'a loss beside broken freshness',
    (index) => (define('svc', bad)(index), write(freshness, '{')(index)),
    [`svc, files, ${freshness}, definition as of definitions, data as of data`],
  ],
  [
    'lost data beside a broken definition',
    (index) => (
      write('components/svc.json', '{')(index),
      write('data/svc.json', { releases: [] })(index)
    ),
    ['svc, files, components/svc.json, definition as of definitions, data as of data'],
  ],
  [
    'a broken definition of a new component',
    write('components/edge-node.json', '{'),
    ['edge-node, files, components/edge-node.json'],
  ],
  ['a hidden file that is gone', write('components/.notes.json', '{'), []],
])('%s waits as it was', (_, edit, waits) => {
  expect(shorten(edited(recorded, edit))).toEqual(waits);
});

test('a broken site configuration stops a run, so what waits is not let through', async () => {
  const index = edited(waiting, write('site/site.json', '{'));

  expect(() => judge(index)).toThrow(/^site\/site\.json: /);
  expect((await index.run('record', '2026-06-03')).status).not.toBe(0);
  expect(index.git('status', '--porcelain')).toBe('');
});

test('a file that is there again, but not in a commit, is not of the commit that removed it', () => {
  const index = edited(recorded, removed);
  define('svc', { title: 'Another' })(index);

  expect(judge(index).edits.get('svc')?.cause).toBe('components/svc.json@uncommitted');
});

test('damage before the first run leaves its component out', () => {
  const index = openIndexInGit();
  addComponent(index.root, 'svc', releases);
  index.root.write('data/svc.json', '{');
  index.commit();

  const { waiting: waits, root } = judge(index);

  expect(waits).toMatchObject([{ component: 'svc', kind: 'files', causes: ['data/svc.json'] }]);
  expect(waits[0]).not.toHaveProperty('dataCommit');
  expect([root.lastGood, root.leftOut]).toEqual([new Map(), new Set(['svc'])]);
});

test('record states in its document what waits', async () => {
  const index = edited(recorded, define('svc', bad));

  const { status, stdout } = await index.run('record --json', day);

  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    findings: [{ level: 'warning', message: expect.stringContaining('waits: ') as string }],
  });
});

test('a damaged file waits since its first day', async () => {
  const index = edited(recorded, write('components/svc.json', '{'));
  await index.run('record', day);
  index.commit('Record');

  expect(judgeEdits({ root: open(index), env, day: '2026-06-09' }).waiting).toMatchObject([
    { kind: 'files', since: day, causes: ['components/svc.json'] },
  ]);
});

test.each<[string, Edit, string]>([
  ['a loss', define('svc', bad), 'components/svc.json'],
  ['lost data', write('data/svc.json', { releases: [] }), 'data/svc.json'],
])('%s beside a broken file is judged once the file is repaired', async (_, edit, file) => {
  const index = edited(recorded, (copy) => (edit(copy), write(freshness, '{')(copy)));
  await index.run('record', day);
  index.commit('Record');
  remove(freshness)(index);

  expect(judge(index).waiting).toMatchObject([
    { component: 'svc', kind: 'change', causes: [expect.stringContaining(`${file}@`)] },
  ]);
});

test.each<[string, Edit, boolean]>([
  ['removed', remove('data/svc.json'), false],
  ['removed from git', ({ git }) => git('rm', '--quiet', 'data/svc.json'), false],
  ['removed by a commit', remove('data/svc.json'), true],
])('recorded data that was %s is restored with the command of its wait', (_, edit, isCommitted) => {
  const index = edited(recorded, edit, isCommitted);
  const [wait, ...others] = judge(index).waiting;
  const command = `git restore --source=${commit(recorded, 'HEAD')} -- data/svc.json`;

  expect(others).toEqual([]);
  expect(wait!.reason).toMatch(new RegExp(`; the file is missing, restore it: ${command}$`));

  execFileSync('sh', ['-c', command], { cwd: index.root.dir });
  expect(judge(index).waiting).toEqual([]);
});

test('recorded data that was lost when its component was renamed is restored with the command of its wait', () => {
  const index = edited(recorded, (copy) => {
    renameComponent(copy.root.dir, 'svc', 'server');
    remove('data/server.json')(copy);
  });
  const [wait] = judge(index).waiting;
  const [, command = 'false'] = /; the file is missing, restore it: (.*)$/.exec(wait!.reason) ?? [];

  execFileSync('sh', ['-c', command], { cwd: index.root.dir });
  expect(index.root.read('data/server.json')).toBe(recorded.root.read('data/svc.json'));
  expect(judge(index).waiting).toEqual([]);
});

test('a component that waits keeps the files of its commits, and one that was never recorded is left out', () => {
  const { root, waiting } = judge(
    edited(recorded, (index) => {
      define('svc', bad)(index);
      write('data/agent.json', '{')(index);
      write('components/edge-node.json', '{')(index);
    }),
  );
  const parts = Array.from(root.lastGood!, ([name, files]) => [name, [...files.parts]]);

  expect(parts).toEqual([
    ['agent', ['data', 'journal']],
    ['svc', ['definition']],
  ]);
  expect(root.leftOut).toEqual(new Set(['edge-node']));
  expect(waiting).toHaveLength(3);
});

test.each<[string, Edit, string]>([
  ['runs that lost a line', write('data/runs/2026.ndjson', '\n'), 'data/runs/2026.ndjson: line 1'],
  [
    'runs that were changed',
    ({ root }) =>
      root.write(
        'data/runs/2026.ndjson',
        root.read('data/runs/2026.ndjson').replace('"components":2', '"components":3'),
      ),
    'data/runs/2026.ndjson: does not begin with the lines of the last run. No run can go on. Restore it: git restore --source=',
  ],
])('%s stop the judgement', (_, edit, message) => {
  const index = edited(recorded, edit);
  expect(() => judge(index)).toThrow(message);
});

/* A component that waits. */

const repeat: Edit = (index) => define('svc', { ...bad, title: 'Another' })(index);

test.each<[string, Edit, string, string[]]>([
  [
    'nothing',
    () => undefined,
    day,
    ['svc, change, components/svc.json@edit, definition as of definitions'],
  ],
  [
    'a harmless edit beside it',
    repeat,
    day,
    ['svc, change, components/svc.json@edit, definition as of definitions'],
  ],
  [
    'lost data beside it',
    write('data/svc.json', { releases: [] }),
    day,
    [
      'svc, change, components/svc.json@edit, data/svc.json@edit, definition as of definitions, data as of later data',
    ],
  ],
  [
    'broken data beside it',
    write('data/svc.json', '{'),
    day,
    ['svc, files, data/svc.json, definition as of definitions, data as of later data'],
  ],
  [
    'the same broken definition',
    write('components/svc.json', '{'),
    day,
    ['svc, files, components/svc.json, definition as of definitions'],
  ],
  ['the former definition', define('svc', {}), '', []],
  [
    'a removed component',
    removed,
    day,
    ['svc, change, components/svc.json@edit, definition as of definitions, data as of later data'],
  ],
])('after an edit that waits, %s', (_, edit, since, waits) => {
  const index = edited(waiting, edit);
  const names: Record<string, string> = {
    [commit(recorded, 'HEAD~1')]: 'definitions',
    [commit(waiting, 'HEAD')]: 'later data',
  };
  const judged = judgeEdits({ root: open(index), env, day: '2026-06-09' }).waiting;
  const found = judged.map(({ component, kind, causes, commit: one = '', dataCommit = '' }) =>
    [component, kind, ...causes.map((cause) => cause.replace(/@[0-9a-f]{10}$/, '@edit'))]
      .concat(one && `definition as of ${names[one]}`)
      .concat(dataCommit && `data as of ${names[dataCommit]}`)
      .filter((text) => text !== '')
      .join(', '),
  );

  expect(found).toEqual(waits);
  expect(judged.every((wait) => wait.kind === 'files' || wait.since === since)).toBe(true);
});

test('two components wait on later days, too, also one that was removed', async () => {
  const index = edited(waiting, remove('components/agent.json', 'data/agent.json'));

  const waits: string[][] = [];
  for (const on of ['2026-06-03', '2026-06-04', '2026-06-05']) {
    await index.run('record', on);
    index.commit('Record');
    waits.push(judge(index).waiting.map(({ component }) => component));
  }

  expect(waits).toEqual(Array.from({ length: 3 }, () => ['svc', 'agent']));
});

test('an edit is judged by what readers know where the files before it were unusable', () => {
  const index = edited(recorded, write('components/svc.json', '{'));
  index.git('checkout', '--quiet', '--orphan', 'squashed');
  index.git('commit', '--quiet', '--message', 'Squash');
  const start = { id: 'history', at: `${day}T06:00:00.000Z`, by: 'Jane' };
  index.root.write(
    'data/decisions.ndjson',
    `${JSON.stringify({ ...start, commit: commit(index, 'HEAD') })}\n`,
  );
  define('svc', bad)(index);

  expect(judge(index).waiting).toMatchObject([
    {
      component: 'svc',
      reason: expect.stringContaining('9 of 10 releases in use would change for the worse'),
      causes: ['components/svc.json@uncommitted', at(index, 'data/svc.json')],
    },
  ]);
});

test('a cut last line of a journal is no damage', () => {
  const index = copyIndexInGit(recorded);
  appendFileSync(join(index.root.dir, journal), '{"id":');

  expect(judge(index).waiting).toEqual([]);
});

test('an edit of a component that is renamed with it waits on later days, too', async () => {
  const index = edited(recorded, ({ root }) => {
    renameComponent(root.dir, 'svc', 'server');
    addComponent(root, 'server', releases, { renamedFrom: ['svc'], ...bad });
  });

  const ids: string[] = [];
  for (const on of ['2026-06-02', '2026-06-03', '2026-06-04']) {
    await index.run('record', on);
    index.commit('Record');
    ids.push(...judge(index).waiting.map(({ id }) => id));
  }

  expect(ids).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^server-/)));
});

test('an edit that waits goes on waiting since its first day after its component was renamed', async () => {
  const index = edited(waiting, ({ root }) => {
    renameComponent(root.dir, 'svc', 'server');
    addComponent(root, 'server', releases, { renamedFrom: ['svc'], ...bad });
  });

  const waits: object[] = [];
  for (const on of ['2026-06-03', '2026-06-04', '2026-06-05']) {
    await index.run('record', on);
    index.commit('Record');
    waits.push(...judge(index).waiting.map(({ component, since }) => ({ component, since })));
  }

  expect(waits).toEqual(Array.from({ length: 3 }, () => ({ component: 'server', since: day })));
});

test('a journal that was cut and renamed at once waits', () => {
  const index = edited(recorded, ({ root }) => {
    root.write(journal, '');
    renameComponent(root.dir, 'svc', 'server');
    addComponent(root, 'server', releases, { renamedFrom: ['svc'] });
  });

  expect(judge(index).waiting).toMatchObject([
    { component: 'server', kind: 'files', causes: [journal] },
  ]);
});

test('a component whose journal was emptied waits on later days, too', async () => {
  const index = edited(recorded, write(journal, ''));

  const waits: string[][] = [];
  for (const on of ['2026-06-02', '2026-06-03', '2026-06-04']) {
    await index.run('record', on);
    index.commit('Record');
    waits.push(
      judge(index).waiting.map(({ component, causes }) => [component, ...causes].join(' ')),
    );
  }

  expect(waits).toEqual(Array.from({ length: 3 }, () => [`svc ${journal}`]));
});

test('a decision of a first run is open', () => {
  const id = 'svc-0000000001';
  const index = openIndexInGit();
  index.root.write(
    'data/decisions.ndjson',
    `${JSON.stringify({ id, at: '2026-06-02T06:00:00.000Z', by: 'Jane' })}\n`,
  );
  index.commit();

  expect(judge(index)).toMatchObject({ lastRun: undefined, accepted: new Set([id]) });
});

test('one decision lets an edit through, once', () => {
  const [{ id } = { id: '' }] = judge(waiting).waiting;
  const decide: Edit = write(
    'data/decisions.ndjson',
    `${JSON.stringify({ id, at: '2026-06-02T06:00:00.000Z', by: 'Jane' })}\n`,
  );
  const { waiting: waits, used, edits, root } = judge(edited(waiting, decide));

  expect([waits, used, root.lastGood]).toEqual([[], [id], new Map()]);
  expect(edits.get('svc')!.events).toHaveLength(9);
});
