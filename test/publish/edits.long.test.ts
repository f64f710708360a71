/** Edits definitions of a published index. Only an edit that takes releases from readers stops the publication, not time or upstream. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { runCli } from '../harness/cli.ts';
import { createFolder } from '../harness/index-folder.ts';
import { createCopies, openOperatedIndex, type OperatedIndex } from '../harness/operated-index.ts';

const start = '2024-03-01';
const next = addDays(start, 1);
/** Four releases of two lines, which began on 1 September and 1 December 2023. */
const releases = [
  { version: '1.0.0', releaseTimestamp: '2023-09-01' },
  { version: '1.0.1', releaseTimestamp: '2023-09-02' },
  { version: '1.1.0', releaseTimestamp: '2023-12-01' },
  { version: '1.1.1', releaseTimestamp: '2023-12-02' },
];
const url = 'https://example.com/support';
const term = { policy: 'term', months: 18, url };
const dated = { policy: 'dated', lines: { '1.0': '2025-01-01', '1.1': '2025-06-01' }, url };
const past = { '1.0': '2024-01-01', '1.1': '2024-02-01' };
const latest = { policy: 'latest-lines', count: 2, url };

const gone = 'gone or deprecated';
const unsupported = 'gone, deprecated or no longer supported';

/** For each kind of edit: the keys of the definition before and after the edit, and the loss. */
const kinds: Record<string, [before: object, after: object, loss?: string]> = {
  months: [{ support: term }, { support: { ...term, months: 1 } }],
  ended: [{ support: term }, { support: { policy: 'ended', until: '2024-02-01', url } }],
  deprecated: [
    { support: term },
    { support: term, deprecated: [{ versions: '*', reason: 'Broken.' }] },
  ],
  phases: [
    { support: { policy: 'term', phases: [{ name: 'full', months: 18 }], url } },
    { support: { policy: 'term', phases: [{ name: 'full', months: 1 }], url } },
  ],
  dated: [{ support: dated }, { support: { ...dated, lines: past } }],
  'line-ends': [{ support: term }, { support: { ...term, lines: past } }],
  until: [{ support: term }, { support: { ...term, until: '2024-02-01' } }],
  'no-support': [{ support: term }, {}, unsupported],
  none: [{ support: term }, { support: { policy: 'none' } }, unsupported],
};

/** The ends of lines that the source of the component `stated` gives. */
const listEnds = (end: string) => ({
  type: 'application/json',
  body: JSON.stringify({
    lines: [
      { line: '1.0', phases: { support: end } },
      { line: '1.1', phases: { support: end } },
    ],
  }),
});

const first = await openOperatedIndex({ defaults: { support: term } });
const published = join(first.root, '../site');
for (const [kind, [before]] of Object.entries(kinds)) {
  first.define(kind, releases, before);
}
first.define('usual', releases);
first.define('moved', releases, { support: term });
first.define('late', releases, { support: { ...latest, count: 1 } });
first.answers.set('ends', listEnds('2025-01-01'));
first.define('stated', releases, {
  support: {
    policy: 'stated',
    source: { datasource: 'json', url: `${first.url}/ends.json`, transform: '$' },
  },
});
first.commit('Define');
expect(await first.run(`daily --push --to ${published}`, start)).toMatchObject({ status: 0 });
const openCopy = createCopies(first);

const open = () => {
  const index = openCopy();
  const site = join(index.root, '../site');
  const readLatest = (component: string) =>
    readFileSync(join(site, `latest/${component}.txt`), 'utf8').trim();
  const daily = async (day: string) => {
    const ended = await index.run(`daily --to ${site}`, day);
    // The lines about progress are removed.
    return { ...ended, stderr: ended.stderr.replace(/^gather .*\n/gm, '') };
  };
  return { index, site, daily, readLatest };
};
const edit = ({ edit: change }: OperatedIndex, component: string, keys: object) =>
  change(`components/${component}.json`, keys);

/** Returns the problems of components in the output of a run. */
const readLosses = (stderr: string) =>
  [...stderr.matchAll(/^error: (?!publication)(.*)$/gm)].map(([, loss]) => loss!).sort();
const describeLoss = (component: string, loss: string) =>
  `${component}: 4 of 4 releases would be ${loss}: 1.0.0, 1.0.1, 1.1.0, 1.1.1`;
const lacksLatest = (component: string) =>
  `${component} would have no latest version; it is 1.1.1 on the live site`;

test('an edit of a support policy that takes many releases stops the publication until a person accepts it', async () => {
  const { index, site, daily, readLatest } = open();
  for (const [kind, [, after]] of Object.entries(kinds)) {
    edit(index, kind, { support: undefined, ...after });
  }
  // Now nothing gives the component `usual` a policy.
  index.edit('site/site.json', { defaults: {} });
  index.write('components/runner.json', {
    ...JSON.parse(index.read('components/moved.json')),
    renamedFrom: ['moved'],
    support: { ...term, months: 1 },
  });
  index.write('components/moved.json', undefined);
  for (const path of ['data/*.json', 'data/journal/*.ndjson']) {
    index.git('mv', path.replace('*', 'moved'), path.replace('*', 'runner'));
  }
  index.commit('Edit');
  const planned = await index.run('plan --base HEAD^', next);
  expect(planned.stdout).toMatch(
    /^(?!runner|moved is)\w[\w-]*: 4 of 4 releases would be gone[^\n]+\n(?:[\w-]+: 4 of 4 [^\n]+\n){10}moved is now runner\n/,
  );

  const stopped = await daily(next);
  const rows: [string, string][] = Object.entries(kinds).map(([kind, [, , loss = gone]]) => [
    kind,
    loss,
  ]);
  rows.push(['usual', unsupported], ['moved', gone]);
  expect(readLosses(stopped.stderr)).toEqual(
    rows
      .flatMap(([component, loss]) => [
        describeLoss(component, loss),
        ...(loss === gone ? [lacksLatest(component)] : []),
      ])
      .sort(),
  );
  expect(stopped.status).toBe(1);
  expect(readLatest('months')).toBe('1.1.1');

  // The next day asks for the same.
  const later = await daily(addDays(next, 1));
  const id = /publication-[0-9a-f]{10}/.exec(later.stderr)![0];
  expect(stopped.stderr).toContain(id);
  expect(await index.run(`accept ${id}`)).toMatchObject({ status: 0 });
  index.commit('Accept');
  expect(await index.run(`publish --to ${site}`, addDays(next, 1))).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect(await daily(addDays(next, 2))).toMatchObject({ status: 0, stderr: '' });
});

test('an edit of the usual policy stops the publication for the components that use it', async () => {
  const { index, daily } = open();
  index.edit('site/site.json', { defaults: { support: { ...term, months: 1 } } });
  index.commit('Edit');

  const { stderr } = await daily(next);

  expect(readLosses(stderr)).toEqual([lacksLatest('usual'), describeLoss('usual', gone)]);
});

test('an edit that corrects a mistake is compared with the definition that the live site used', async () => {
  const { index, daily } = open();
  edit(index, 'months', { support: { ...term, months: 0 } });
  index.commit('Mistake');
  expect(await daily(next)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('Published.') as string,
  });
  edit(index, 'months', { support: { ...term, months: 1 } });
  index.commit('Correct');

  const { stderr } = await daily(addDays(next, 1));

  expect(readLosses(stderr)).toEqual([lacksLatest('months'), describeLoss('months', gone)]);
});

/** Changes the titles of all components, so that their definitions differ from those of the live site. */
function retitle(index: OperatedIndex): void {
  for (const component of [...Object.keys(kinds), 'usual', 'moved', 'late', 'stated']) {
    edit(index, component, { title: `The ${component}` });
  }
  index.commit('Retitle');
}

test.each([false, true])(
  'a release that its list gives late stops no publication, though it ends a line (with edited titles: %s)',
  async (isEdited) => {
    const { index, daily, readLatest } = open();
    if (isEdited) {
      retitle(index);
    }
    const late = { version: '1.2.0', releaseTimestamp: '2024-02-27' };
    index.answers.set('late', [...releases, late]);

    expect(await daily(next)).toMatchObject({ status: 0, stderr: '' });
    expect(readLatest('late')).toBe('1.2.0');
  },
);

test('an accepted end of support stops no publication a second time, nor does its correction', async () => {
  const { index, daily } = open();
  retitle(index);
  index.answers.set('ends', listEnds('2024-02-01'));
  const held = await daily(next);
  const id = /stated-[0-9a-f]{10}/.exec(held.stderr)![0];
  expect(await index.run(`accept ${id}`)).toMatchObject({ status: 0 });
  index.commit('Accept');

  expect(await daily(addDays(next, 1))).toMatchObject({ status: 0, stderr: '' });
  expect(index.read('dist/details/stated.json')).toContain('"isSupported":false');
  index.answers.set('ends', listEnds('2025-01-01'));
  expect(await daily(addDays(next, 2))).toMatchObject({ status: 0, stderr: '' });
});

test('lines that end while no run takes place stop no publication', async () => {
  const { index, daily } = open();
  retitle(index);

  const ended = await daily(addDays(start, 640));

  expect(ended).toMatchObject({ status: 0, stderr: '' });
  for (const component of ['months', 'dated', 'stated']) {
    expect(index.read(`dist/details/${component}.json`)).not.toContain('"isSupported":true');
  }
});

test.each<[depth: string, notice: string]>([
  ['--depth=9', ''],
  [
    '--depth=1',
    'notice: publication: the live site was built from commit COMMIT, which this clone lacks. So nobody checked whether an edit of a support policy takes releases from readers. This clone has only the newest commits. Before the next publication: git fetch --unshallow, or in a workflow, fetch-depth: 0\n',
  ],
])('in a clone with %s, publish says: %s', async (depth, notice) => {
  const { index, site } = open();
  const clone = join(createFolder(), 'clone');
  execFileSync('git', ['clone', '--quiet', depth, `file://${index.root}/../remote`, clone]);
  const commit = index.data.readRuns().at(-1)!.commit!;
  const run = (line: string) => runCli([...line.split(' '), '--root', clone, '--as-of', start]);
  await run('build');

  const { status, stderr } = await run(`publish --to ${site}`);

  expect(stderr.replace(commit.slice(0, 10), 'COMMIT')).toBe(notice);
  expect(status).toBe(0);
});
