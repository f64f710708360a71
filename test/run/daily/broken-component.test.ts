import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-documents.ts';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { linesOf } from '../../harness/cli.ts';
import { openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { definition, readJsonIn } from '../../harness/root.ts';
import { serve, startUpstream, type Upstream } from '../../harness/upstream.ts';

const daily = 'daily --skip-publish';
const [day, nextDay] = ['2026-11-20', '2026-11-21'];
const recorded = [
  { version: '0.9.0', releaseTimestamp: '2025-01-01' },
  { version: '1.0.0', releaseTimestamp: '2026-01-01' },
];
const releases = (deprecated?: string) => ({
  releases: recorded.map((one) => ({ ...one, deprecated })),
});

let upstream: Upstream;
beforeAll(async () => {
  const versions = { '0.9.0': {}, '1.0.0': {} };
  upstream = await startUpstream(() =>
    serve(new Map([['/agent', json({ name: 'agent', versions })]])),
  );
});
afterAll(() => upstream.close());

/** An index with one component, which has a source unless `files` replace its definition. */
function openIndex(files: Record<string, string | object>): IndexInGit {
  const index = openIndexInGit();
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: upstream.url };
  const all = { 'components/svc.json': definition({ sources: [source] }), ...files };
  for (const [path, content] of Object.entries(all)) {
    index.root.write(path, content);
  }
  index.commit('Start');
  return index;
}

/** A file of a component, and its damage. */
type Damage = (file: string) => void;
const change = (from: string | RegExp, to: string) => (file: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
const committed: Record<string, Damage> = {
  'components/unreadable.json': (file) => writeFileSync(file, '{ "title": }'),
  'data/journal/rewritten.ndjson': change('"on":"20', '"on":"19'),
};
const uncommitted: Record<string, Damage> = {
  'data/cut.json': (file) => truncateSync(file, 40),
  'data/journal/shortened.ndjson': change(/^.*\n/, ''),
  'data/journal/lost.ndjson': (file) => rmSync(file),
};
/** Readable, so a person may accept it. */
const lost: Record<string, Damage> = {
  'data/gone.json': (file) => rmSync(file),
  'data/shrunk.json': (file) => writeFileSync(file, '{ "releases": [] }\n'),
};
const damaged = Object.keys({ ...committed, ...uncommitted });
const nameOf = (file: string) => basename(file).split('.')[0]!;

test('a damaged component stays as it was published, a new one is left out, and the others go on', async () => {
  const { root, git, run, commit } = openIndex({});
  const add = (name: string) => {
    const source = { datasource: 'npm', packageName: 'agent', registryUrl: upstream.url };
    root.write(`components/${name}.json`, definition({ sources: [source] }));
    root.write(`data/${name}.json`, releases());
  };
  const all = [...damaged, ...Object.keys(lost)];
  const published = () => all.map((file) => readJsonIn(root.out, `${nameOf(file)}.json`));
  for (const file of all) {
    add(nameOf(file));
  }
  commit('Add more');
  await run(daily, day);
  // The commit of the definitions that the run judged, and that of the data it wrote.
  const [judged, good, before] = [
    git('rev-parse', 'HEAD~1'),
    git('rev-parse', 'HEAD'),
    published(),
  ];
  add('other');
  for (const [file, spoil] of Object.entries(committed)) {
    spoil(join(root.dir, file));
  }
  root.write('components/broken.json', '{ "title": }');
  commit('Spoil two, and add two others');
  for (const [file, spoil] of Object.entries({ ...uncommitted, ...lost })) {
    spoil(join(root.dir, file));
  }

  const { status, stderr } = await run(daily, nextDay);

  expect(status).toBe(1);
  for (const file of damaged) {
    const source = file.startsWith('components/') ? judged : good;
    const [line, ...others] = linesOf(stderr).filter((one) => one.includes(file));
    expect(others).toEqual([]);
    expect(line).toMatch(new RegExp(`^error: ${file}: waits since ${nextDay}: `));
    expect(line).toContain(`Correct it, or restore it: git restore --source=${source} -- ${file}`);
  }
  for (const file of Object.keys(lost)) {
    expect(stderr).toContain(
      `error: ${file}@uncommitted: waits since ${nextDay}: the latest release would fall from 1.0.0`,
    );
  }
  expect(stderr).toMatch(
    /^error: components\/broken\.json: waits since .* Correct it\. All problems: npx release-index check$/m,
  );
  expect(readJsonIn(root.dir, '.cache/daily.json')).toMatchObject({
    isBuilt: true,
    attention: expect.arrayContaining([
      expect.objectContaining({ kind: 'input', cause: 'components/broken.json' }),
    ]) as object,
  });
  expect(published()).toEqual(before);
  const { components } = readJsonIn<StatusFile>(root.out, 'status.json');
  expect([components['cut']!.lastChecked, components['svc']!.lastChecked]).toEqual([day, nextDay]);
  expect(readJsonIn(root.out, 'index.json')).toEqual([...all.map(nameOf), 'other', 'svc'].sort());
  const files = git('show', '--name-only', '--format=', 'HEAD').split('\n');
  expect(files).toContain('data/journal/other.ndjson');
  expect(files.filter((file) => all.some((one) => nameOf(one) === nameOf(file)))).toEqual([]);
  git('restore', `--source=${good}`, '--', ...all);
  rmSync(join(root.dir, 'components/broken.json'));
  expect((await run('check', nextDay)).stderr).not.toContain('error');
});

test('a commit has the days of a corrected release, also if an earlier run recorded it', async () => {
  const { root, git, run } = openIndex({ 'data/svc.json': releases() });
  await run(daily, day);
  const [first, ...others] = recorded;
  const corrected = {
    ...first,
    releaseTimestamp: '2025-06-01T00:00:00Z',
    timestampKind: 'published',
    corrected: { on: day, reason: 'The tag was moved.' },
  };
  root.write('data/svc.json', { releases: [corrected, ...others] });
  await run('record', day);

  await run(daily, day);

  expect(git('log', '-1', '--format=%B')).toMatch(
    /^- svc: corrected 0\.9\.0 from 2025-01-01 to 2025-06-01/m,
  );
});

test('harm in mended files is held, and never published from a commit that no run has judged', async () => {
  const ended = definition({ support: { policy: 'ended', until: '2026-01-01' } });
  const harm = { 'components/svc.json': ended, 'data/other.json': releases('made up') };
  const { root, run, commit } = openIndex({
    'components/svc.json': definition(),
    'data/svc.json': releases(),
    'components/other.json': definition(),
    'data/other.json': releases(),
  });
  const edit = (files: Record<string, string | object>) => {
    for (const [file, content] of Object.entries(files)) {
      root.write(file, content);
    }
    commit('Edit two files');
  };
  const latest = () =>
    ['svc', 'other'].map((name) => readJsonIn<ReleaseFile>(root.out, `${name}.json`).tags?.latest);
  await run(daily, '2026-11-18');
  edit(harm);
  edit({ 'components/svc.json': '{', 'data/other.json': '{' });

  expect((await run(daily, '2026-11-19')).status).toBe(1);
  expect(latest()).toEqual(['1.0.0', '1.0.0']);
  edit(harm);
  const mended = await run(daily, day);

  expect(mended.status).toBe(1);
  for (const name of ['svc', 'other']) {
    expect(mended.stderr).toMatch(
      new RegExp(
        `^error: \\S+${name}\\.json@[0-9a-f]{10}: waits since .*latest release would fall from 1\\.0\\.0 to none`,
        'm',
      ),
    );
  }
  expect(latest()).toEqual(['1.0.0', '1.0.0']);
});
