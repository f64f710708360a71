import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RecordedData } from '../../../src/core/schemas/recorded/recorded.ts';
import type { HandedAnswers } from '../../../src/record/gather/handed-answers.ts';
import { linesOf } from '../../harness/cli.ts';
import { copyIndexInGit, openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { openNpmRegistry, type NpmRegistry } from '../../harness/npm-registry.ts';
import { definition, readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';

let index: IndexInGit;
let registry: NpmRegistry;
let gathered: string;

const published = { '1.0.0': { at: '2026-01-01T00:00:00.000Z' } };
const release = { version: '1.0.0', releaseTimestamp: '2026-01-01T00:00:00.000Z' };

/** Another job, in another checkout: it asks and hands over. */
async function gather(day: string) {
  const other = temporaryFolder();
  cpSync(index.root.dir, other, { recursive: true });
  const { status } = await index.run(`gather --answers ${gathered} --root ${other}`, day);
  expect(status).toBe(0);
}

const record = (day: string) => index.run(`daily --gathered ${gathered}`, day);
const dataOf = (name: string) => readJsonIn<RecordedData>(index.root.dir, `data/${name}.json`);
const write = (file: string, content: unknown) => writeIn(gathered, file, content);

/** Changes what was handed over for svc. */
function change(edit: (answers: HandedAnswers) => unknown): void {
  const answers = readJsonIn<HandedAnswers>(gathered, 'svc.json');
  edit(answers);
  write('svc.json', answers);
}

function changeReleases(releases: readonly object[]): void {
  change(({ sources: [source] }) => Object.assign(source!, { releases }));
}

let defined: IndexInGit;
let answers: string;

beforeAll(async () => {
  registry = await openNpmRegistry({ svc: published, edge: published });
  defined = openIndexInGit();
  for (const packageName of ['svc', 'edge']) {
    const sources = [{ datasource: 'npm', packageName, registryUrl: registry.url }];
    defined.root.write(`components/${packageName}.json`, definition({ sources }));
  }
  defined.commit();
  index = defined;
  answers = temporaryFolder();
  gathered = answers;
  await gather('2026-06-01');
});

afterAll(() => registry.close());

beforeEach(() => {
  registry.packages.set('svc', published);
  index = copyIndexInGit(defined);
  gathered = temporaryFolder();
  cpSync(answers, gathered, { recursive: true });
});

test('the answers of another job are recorded as if this job had asked', async () => {
  const alone = openIndexInGit();
  cpSync(join(index.root.dir, 'components'), join(alone.root.dir, 'components'), {
    recursive: true,
  });
  alone.commit();

  expect(existsSync(join(index.root.dir, 'data'))).toBe(false);
  expect(await record('2026-06-01')).toMatchObject({ status: 0 });
  await alone.run('daily', '2026-06-01');

  for (const file of ['svc.json', 'edge.json', 'freshness/svc.json']) {
    expect(index.root.read(`data/${file}`)).toBe(alone.root.read(`data/${file}`));
  }
});

const link = (file: string, target: string) => () => symlinkSync(target, join(gathered, file));
const states = (more: object) => () => changeReleases([{ ...release, ...more }]);
const provenance = {
  source: 'npm:svc',
  builder: 'https://github.com/example/svc/.github/workflows/release.yml@refs/heads/main',
  repository: 'https://github.com/example/svc',
  predicateType: 'https://slsa.dev/provenance/v1',
};

test.each<[string, () => void, string]>([
  ['a link', link('x.json', '/etc/passwd'), 'x.json: is not a file of a component'],
  ['a linked folder', link('journal', '/etc'), 'journal: is not a file of a component'],
  ['a text', () => write('notes.txt', ''), 'notes.txt: is not a file of a component'],
  ['data in place of answers', () => write('svc.json', { releases: [] }), 'svc.json: askedOn'],
  ['a build', states({ provenance }), 'releases[0].provenance'],
  ['the day of the first sight', states({ firstSeen: '2025-01-01' }), 'releases[0].firstSeen'],
  ['a bound', states({ notListedOn: '2025-01-01' }), 'releases[0].notListedOn'],
  ['a kind of day', states({ timestampKind: 'observed' }), 'releases[0].timestampKind'],
  ['another source', states({ source: 'npm:other' }), 'releases[0].source'],
  [
    'the answers of another day',
    () => change((answers) => (answers.askedOn = '2026-05-01')),
    'svc.json: holds answers of 2026-05-01; today is 2026-06-01',
  ],
])(
  '%s is not taken from another job, and costs the other component nothing',
  async (_, spoil, problem) => {
    spoil();

    const { status, stderr } = await record('2026-06-01');

    expect(status).toBe(1);
    const errors = linesOf(stderr).filter((line) => line.startsWith('error: '));
    expect(errors).toEqual([expect.stringContaining(problem)]);
    expect(dataOf('edge').releases).toHaveLength(1);
  },
);

test.each([
  ['a year', '2025-06-01T00:00:00Z'],
  ['to the day of an older release', '2026-01-01T00:00:00Z'],
  ['by weeks', '2026-05-10T00:00:00Z'],
])('a release that another job dates back %s has the day of this job', async (_, stated) => {
  await record('2026-06-01');
  registry.packages.set('svc', { ...published, '1.1.0': { at: '2026-06-01T12:00:00.000Z' } });
  await gather('2026-06-02');
  changeReleases([release, { version: '1.1.0', releaseTimestamp: stated }]);

  const { stderr } = await record('2026-06-02');

  expect(dataOf('svc').releases[1]).toMatchObject({
    version: '1.1.0',
    releaseTimestamp: '2026-06-02',
    timestampKind: 'observed',
    firstSeen: '2026-06-02',
    notListedOn: '2026-06-01',
  });
  expect(stderr).toContain(`npm:svc dates 1.1.0 ${stated}, but did not list it`);
});

test('the answer to another definition is left to the next run', async () => {
  change(({ sources: [source] }) => Object.assign(source!, { definition: '0'.repeat(64) }));

  const { status, stderr } = await record('2026-06-01');

  expect(status).toBe(0);
  expect(stderr).toContain('npm:svc: was asked by another definition. The next run asks again.');
  expect(dataOf('svc').releases).toEqual([]);
  expect(index.root.read('data/runs/2026.ndjson')).toContain('"asked":1,"answered":1');
});

test('statements of the definition itself are read from it, not from another job', async () => {
  const sources = [{ datasource: 'static', releases: [{ version: '3.0' }] }];
  index.root.write('components/hand.json', definition({ sources }));
  index.commit();
  await gather('2026-06-01');
  const answers = readJsonIn<HandedAnswers>(gathered, 'hand.json');
  Object.assign(answers.sources[0]!, { releases: [{ version: '9.0' }], listed: [] });
  write('hand.json', answers);

  await record('2026-06-01');

  expect(dataOf('hand').releases).toMatchObject([{ version: '3.0' }]);
});

test('a clock ahead of the job that gathered, and of the last commit, records nothing', async () => {
  index.git('commit', '--amend', '--quiet', '--no-edit', '--date=2026-05-31T00:00:00Z');
  process.env['GIT_COMMITTER_DATE'] = '2026-05-31T00:00:00Z';
  index.git('commit', '--amend', '--quiet', '--no-edit');
  delete process.env['GIT_COMMITTER_DATE'];

  const { status, stderr } = await record('2026-06-03');

  expect(status).toBe(1);
  expect(stderr).toContain('is ahead: it shows 2026-06-03, upstreams state 2026-06-01');
  expect(existsSync(join(index.root.dir, 'data/edge.json'))).toBe(false);
  expect((await record('2026-06-02')).status).toBe(0);
});

test('a job that hands over nothing at all is named', async () => {
  rmSync(gathered, { recursive: true });
  const missing = await record('2026-06-01');
  mkdirSync(gathered);
  const empty = await record('2026-06-02');

  expect(missing.stderr).toContain('there is no such folder');
  expect(empty.stderr).not.toContain('there is no such folder');
});
