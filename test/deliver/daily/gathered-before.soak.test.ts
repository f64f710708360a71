import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { takeGathered } from '../../../src/deliver/daily/take-gathered.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { npmRegistry, type NpmRegistry } from '../../harness/npm-registry.ts';
import { definition, readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

const day = '2026-06-01';

let registry: NpmRegistry;
let index: IndexInGit;
/** The folder that another run hands over. */
let gathered: string;

const kept = { version: '0.9.0', releaseTimestamp: '2026-01-01', timestampKind: 'published' };
const daily = () => index.run(`daily --gathered ${gathered} --skip-publish`, day);

beforeEach(async () => {
  registry = await npmRegistry({ svc: { '1.0.0': {} }, edge: { '2.0.0': {} } });
  index = openIndexInGit();
  const { root, commit } = index;
  for (const packageName of ['svc', 'edge']) {
    const source = { datasource: 'npm', packageName, registryUrl: registry.url };
    root.write(`components/${packageName}.json`, definition({ sources: [source] }));
  }
  root.write('data/svc.json', { releases: [kept] });
  commit('Begin');
  const there = temporaryFolder();
  cpSync(root.dir, there, { recursive: true });
  await runHere(['gather', '--record-freshness', '--root', there, '--as-of', day]);
  gathered = join(there, 'data');
  registry.requests.length = 0;
});

test('a day whose data was gathered before commits it, builds, and asks no upstream', async () => {
  const run = await daily();

  expect(run.status, run.stderr).toBe(0);
  expect(registry.requests).toEqual([]);
  const { git } = index;
  expect(git('log', '-1', '--format=%s')).toBe('Record edge 2.0.0, svc 0.9.0, 1.0.0');
  expect(git('show', '--name-only', '--format=').split('\n')).toEqual([
    'data/edge.json',
    'data/freshness/edge.json',
    'data/freshness/svc.json',
    'data/journal/edge.ndjson',
    'data/journal/svc.ndjson',
    'data/runs/2026.ndjson',
    'data/svc.json',
  ]);
});

test('a clock ahead of the job that gathered, and of the last commit, takes nothing', () => {
  const { dir } = index.root;
  const take = (today: string) => takeGathered(openRoot(dir, dir), gathered, today, '2026-05-31');

  expect(() => take('2026-06-03')).toThrow('is ahead: it shows 2026-06-03, upstreams state 2026-06-01');
  expect(index.git('status', '--porcelain')).toBe('');
  expect(take('2026-06-02')).toEqual([]);
});

describe('of what another run hands over', () => {
  const part = (file: string) => join(gathered, file);
  test.each<[string, () => void, string]>([
    ['a link', () => symlinkSync('/etc/passwd', part('x.json')), 'is not a plain file'],
    ['a file of a folder', () => writeIn(part('hooks'), 'x.json', {}), 'data/hooks/x.json: is not a file of'],
    ['a stranger’s file', () => writeFileSync(part('notes.txt'), ''), 'is not a file of a component'],
    ['an unknown component', () => writeFileSync(part('x.json'), '{}'), 'is not a file of a component'],
    ['what is no data', () => writeFileSync(part('svc.json'), '{"releases": 1}'), 'data/svc.json: '],
    ['another day', () => forge({ version: '0.9.0', releaseTimestamp: '2020-01-01' }), 'of 0.9.0'],
    ['a future day', () => forge({ version: '0.9.0', releaseTimestamp: '2027-01-01' }), 'is in the future'],
    ['a later answer', () => answerOn('2027-01-01'), 'holds 2027-01-01, which is in the future'],
    ['a release less', () => forge({ version: '1.0.0', releaseTimestamp: '2026-05-01' }), 'of 0.9.0'],
    ['a linked folder', () => symlinkSync('/etc', part('journal')), 'is not a plain file'],
  ])('%s is not taken, and costs the others nothing', async (_, spoil, says) => {
    spoil();

    const run = await daily();

    expect(run.status).toBe(1);
    expect(run.stderr).toContain(says);
    expect(index.git('ls-tree', '--name-only', 'HEAD', 'data/edge.json')).toBe('data/edge.json');
    const { releases } = readJsonIn<{ releases: { version: string }[] }>(index.root.dir, 'data/svc.json');
    expect(releases[0]).toEqual(kept);
    expect(index.git('status', '--porcelain', '--', 'data')).toBe('');
  });

  test('nothing at all is told, and the day goes on', async () => {
    rmSync(gathered, { recursive: true });

    const run = await daily();

    expect(run.status).toBe(1);
    expect(run.stderr).toContain('there is no such folder. No gathered data was accepted');
    expect(run.stdout).toContain('files for 2026-06-01');
  });

  function answerOn(answeredOn: string): void {
    writeIn(gathered, 'freshness/svc.json', { sources: { 'npm:svc': { answeredOn } } });
  }

  function forge(...releases: object[]): void {
    writeIn(gathered, 'svc.json', { releases });
  }
});
