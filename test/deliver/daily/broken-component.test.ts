import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-file.ts';
import { linesOf } from '../../harness/cli.ts';
import { openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { definition, readJsonIn } from '../../harness/root.ts';
import { serve, startUpstream, type Upstream } from '../../harness/upstream.ts';

const daily = 'daily --skip-publish';
const day = '2026-11-20';
const recorded = [
  { version: '0.9.0', releaseTimestamp: '2025-01-01' },
  { version: '1.0.0', releaseTimestamp: '2026-01-01' },
];
const releases = (deprecated?: string) => ({ releases: recorded.map((one) => ({ ...one, deprecated })) });

let upstream: Upstream;
beforeAll(async () => {
  const versions = { '0.9.0': {}, '1.0.0': {} };
  upstream = await startUpstream(() => serve(new Map([['/agent', json({ name: 'agent', versions })]])));
});
afterAll(() => upstream.close());

/** An index with one component, which has a source unless `files` replace its definition. */
function openIndex(files: Record<string, string | object>): IndexInGit {
  const index = openIndexInGit();
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: upstream.url };
  const all = { 'components/svc.json': definition({ sources: [source] }), ...files };
  for (const [path, content] of Object.entries(all)) index.root.write(path, content);
  index.commit('Start');
  return index;
}

test('a broken component that is new is left out, and the others are recorded and published', async () => {
  const { root, git, run } = openIndex({ 'components/broken.json': '{ "title": }' });

  const { status, stderr } = await run(daily, day);

  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^error: components\/broken\.json: not JSON: .+ broken is not published until this is right\. Correct it/m,
  );
  expect(git('show', 'HEAD:data/svc.json')).toContain('"1.0.0"');
  expect(readJsonIn(root.out, 'index.json')).toEqual(['svc']);
  expect(readJsonIn(root.dir, '.cache/daily.json')).toMatchObject({
    isBuilt: true,
    attention: [{ kind: 'input', cause: 'components/broken.json' }],
  });
});

describe('a component that was published', () => {
  let index: IndexInGit;
  let good: string;
  let published: unknown;

  beforeAll(async () => {
    index = openIndex({ 'data/svc.json': releases() });
    const { root, git, run } = index;
    await run(daily, day);
    good = git('rev-parse', 'HEAD');
    published = readJsonIn(root.out, 'svc.json');
  });

  beforeEach(() => {
    const { git, root, commit } = index;
    git('reset', '--quiet', '--hard', good);
    root.write('components/other.json', definition());
    root.write('data/other.json', releases());
    commit('Add another');
  });

  const change = (from: string | RegExp, to: string) => (path: string) =>
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  const remove = (path: string) => rmSync(path);

  test.each<[string, string, (path: string) => void]>([
    ['data was cut', 'data/svc.json', (path) => truncateSync(path, 40)],
    ['data is gone', 'data/svc.json', remove],
    ['data lacks a release', 'data/svc.json', () => index.root.write('data/svc.json', { releases: [] })],
    ['definition cannot be read', 'components/svc.json', (path) => writeFileSync(path, '{ "title": }')],
    ['journal lost lines', 'data/journal/svc.ndjson', change(/^.*\n/, '')],
    ['journal is gone', 'data/journal/svc.ndjson', remove],
    ['journal was rewritten by a commit', 'data/journal/svc.ndjson', change('"on":"20', '"on":"19')],
  ])('stays as it was where its %s, and the others go on', async (what, file, spoil) => {
    const { root, git, run, commit } = index;
    spoil(join(root.dir, file));
    if (/definition|commit/.test(what)) commit('Spoil it');

    const { status, stderr } = await run(daily, day);

    expect(status).toBe(1);
    expect(linesOf(stderr).find((line) => line.startsWith(`error: ${file}: `))).toMatch(
      ` svc stays as it was published last until this is right. Correct it, or restore it: git restore --source=${good} -- ${file}`,
    );
    expect(readJsonIn(root.out, 'svc.json')).toEqual(published);
    expect(readJsonIn(root.out, 'index.json')).toEqual(['other', 'svc']);
    expect(git('show', '--name-only', '--format=', 'HEAD')).not.toMatch(/data.*svc/);
    git('restore', `--source=${good}`, '--', file);
    const checked = await run('check', day);
    expect(checked.stderr).not.toContain('error');
  });

  test('is not touched on a day on which the list of runs lost lines', async () => {
    const { root, git, run } = index;
    const before = git('rev-parse', 'HEAD');
    const [year] = readdirSync(join(root.dir, 'data/runs'));
    root.write(`data/runs/${year}`, '');

    const { status, stderr } = await run(daily, day);

    expect(status).toBe(1);
    expect(linesOf(stderr)).toEqual([
      `error: data/runs/${year}: does not begin with the lines of the last run. Restore it: git restore data/runs/${year}. Nothing was gathered`,
    ]);
    expect(git('rev-parse', 'HEAD')).toBe(before);
  });

  test('gets a commit with the days of a corrected release, also if an earlier run recorded it', async () => {
    const { root, git, run } = index;
    const [first, ...others] = recorded;
    const corrected = { ...first, releaseTimestamp: '2025-06-01T00:00:00Z', timestampKind: 'published' };
    root.write('data/svc.json', { releases: [corrected, ...others] });
    await run('record', day);

    await run(daily, day);

    expect(git('log', '-1', '--format=%B')).toMatch(
      /^- svc: corrected 0\.9\.0 from 2025-01-01 to 2025-06-01/m,
    );
  });
});

test.each([
  ['definition', 'components/svc.json', definition({ support: { policy: 'ended', since: '2026-01-01' } })],
  ['data', 'data/svc.json', releases('made up')],
])(
  'harm in a mended %s is held, and never published from a commit that no run has judged',
  async (_, file, harm) => {
    const { root, run, commit } = openIndex({
      'components/svc.json': definition(),
      'data/svc.json': releases(),
    });
    const edit = (content: string | object) => {
      root.write(file, content);
      commit(`Edit ${file}`);
    };
    const isHarmed = () => readJsonIn<ReleaseFile>(root.out, 'svc.json').tags?.latest !== '1.0.0';
    await run(daily, '2026-11-18');
    edit(harm);
    edit('{');

    expect((await run(daily, '2026-11-19')).status).toBe(1);
    expect(isHarmed()).toBe(false);
    edit(harm);
    const mended = await run(daily, day);

    expect(mended.status).toBe(1);
    expect(mended.stderr).toMatch(
      /^warning: \S+svc\.json.*: held: .*latest release would fall from 1\.0\.0 to none/m,
    );
    expect(isHarmed()).toBe(false);
  },
);
