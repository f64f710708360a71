import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { npmRegistry } from '../../harness/npm-registry.ts';
import { linesOf } from '../../harness/cli.ts';
import { definition, makeRoot, readJsonIn, writeIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';

const recorded = [
  { version: '0.9.0', releaseTimestamp: '2025-01-01' },
  { version: '1.0.0', releaseTimestamp: '2026-01-01' },
];

const releases = (deprecated?: string) => ({ releases: recorded.map((one) => ({ ...one, deprecated })) });

test('a broken component that is new is left out, and the others are recorded and published', async () => {
  const { root, git } = await commitIndex({ 'components/broken.json': '{ "title": }' });

  const day = await run(['daily', '--skip-publish', '--root', root]);

  expect(day.status).toBe(1);
  expect(day.stderr).toMatch(
    /^error: components\/broken\.json: not JSON: .+ broken is not published until this is right\. Correct it/m,
  );
  expect(git('show', 'HEAD:data/svc.json')).toContain('"1.0.0"');
  expect(readJsonIn(root, 'dist/index.json')).toEqual(['svc']);
  expect(readJsonIn(root, '.cache/daily.json')).toMatchObject({
    isBuilt: true,
    attention: [{ kind: 'input', cause: 'components/broken.json' }],
  });
});

const spoiled: readonly [string, string, (path: string) => void][] = [
  ['data was cut', 'data/svc.json', (path) => truncateSync(path, 40)],
  ['data is gone', 'data/svc.json', (path) => rmSync(path)],
  [
    'data lacks a release',
    'data/svc.json',
    (path) => writeFileSync(path, JSON.stringify({ releases: [recorded[1]] })),
  ],
  ['definition cannot be read', 'components/svc.json', (path) => writeFileSync(path, '{ "title": }')],
  [
    'journal lost lines',
    'data/journal/svc.ndjson',
    (path) => writeFileSync(path, readFileSync(path, 'utf8').replace(/^.*\n/, '')),
  ],
  ['journal is gone', 'data/journal/svc.ndjson', (path) => rmSync(path)],
  [
    'journal was rewritten by a commit',
    'data/journal/svc.ndjson',
    (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"on":"20', '"on":"19')),
  ],
];

test.each(spoiled)(
  'a component whose %s stays as it was, and the others go on',
  async (what, file, spoil) => {
    const { root, git } = await commitIndex({ 'data/svc.json': { releases: recorded } });
    await run(['daily', '--skip-publish', '--root', root]);
    const good = git('rev-parse', 'HEAD').trim();
    const published = readJsonIn(root, 'dist/svc.json');
    const kept = readFileSync(join(root, 'data/svc.json'), 'utf8');
    writeIn(root, 'components/other.json', definition());
    writeIn(root, 'data/other.json', { releases: recorded });
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Add another');
    spoil(join(root, file));
    if (/definition|commit/.test(what)) git('commit', '--quiet', '--all', '--message', 'Spoil it');

    const day = await run(['daily', '--skip-publish', '--root', root]);

    expect(day.status).toBe(1);
    const alert = linesOf(day.stderr).find((line) => line.startsWith(`error: ${file}: `));
    expect(alert).toMatch(
      ` svc stays as it was published last until this is right. Correct it, or restore it: git restore --source=${good} -- ${file}`,
    );
    expect(readJsonIn(root, 'dist/svc.json')).toEqual(published);
    expect(readJsonIn(root, 'dist/index.json')).toEqual(['other', 'svc']);
    expect(git('show', '--name-only', '--format=', 'HEAD')).not.toContain('svc');
    git('restore', `--source=${good}`, '--', file);
    expect((await run(['daily', '--skip-publish', '--root', root])).status).toBe(0);
    expect(readFileSync(join(root, 'data/svc.json'), 'utf8')).toBe(kept);
  },
);

test.each([
  ['definition', 'components/svc.json', definition({ support: { policy: 'ended', since: '2026-01-01' } })],
  ['data', 'data/svc.json', releases('made up')],
])(
  'harm in a mended %s is held, and never published from a commit that no run has judged',
  async (_, file, harm) => {
    const { root, git } = await commitIndex({
      'components/svc.json': definition(),
      'data/svc.json': releases(),
    });
    const daily = (day: string) => run(['daily', '--skip-publish', '--root', root, '--as-of', day]);
    const commit = (content: unknown) => {
      if (typeof content === 'string') writeFileSync(join(root, file), content);
      else writeIn(root, file, content as object);
      git('commit', '--quiet', '--all', '--message', `Edit ${file}`);
    };
    await daily('2026-11-19');
    commit(harm);
    commit('{');

    expect((await daily('2026-11-20')).status).toBe(1);
    expect(readJsonIn(root, 'dist/svc.json')).toMatchObject({ tags: { latest: '1.0.0' } });
    commit(harm);
    const mended = await daily('2026-11-21');

    expect(mended.status).toBe(1);
    expect(mended.stderr).toMatch(
      /^warning: \S+svc\.json.*: held: .*latest release would fall from 1\.0\.0 to none/m,
    );
    expect(readJsonIn(root, 'dist/svc.json')).toMatchObject({ tags: { latest: '1.0.0' } });
  },
);

test('nothing is done where the list of runs lost lines', async () => {
  const { root, git } = await commitIndex({});
  await run(['daily', '--skip-publish', '--root', root]);
  const before = git('rev-parse', 'HEAD');
  const [year] = readdirSync(join(root, 'data/runs'));
  writeFileSync(join(root, 'data/runs', year!), '');

  const day = await run(['daily', '--skip-publish', '--root', root]);

  expect(day.status).toBe(1);
  expect(linesOf(day.stderr)).toEqual([
    `error: data/runs/${year}: does not begin with the lines of the last run. Restore it: git restore data/runs/${year}. Nothing was gathered`,
  ]);
  expect(git('rev-parse', 'HEAD')).toBe(before);
});

test('a day of a release that changed is news in the message of the commit', async () => {
  const { root, git } = await commitIndex({});
  await run(['daily', '--skip-publish', '--root', root, '--as-of', '2026-11-20']);
  const { releases } = readJsonIn<{ releases: { version: string }[] }>(root, 'data/svc.json');
  const changed = { ...releases[0], releaseTimestamp: '2025-06-01T00:00:00Z', timestampKind: 'published' };
  writeIn(root, 'data/svc.json', { releases: [changed, releases[1]] });

  await run(['daily', '--skip-publish', '--root', root, '--as-of', '2026-11-20']);

  expect(git('log', '-1', '--format=%B')).toMatch(
    /^- svc: corrected 0\.9\.0 from 20\d\d-\d\d-\d\d to 2025-06-01/m,
  );
});

/** An index of one component, in a repository. */
async function commitIndex(files: Readonly<Record<string, unknown>>) {
  const registry = await npmRegistry({ agent: { '0.9.0': {}, '1.0.0': {} } });
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
  const root = makeRoot({
    'components/svc.json': definition({ sources: [source] }),
    '.gitignore': 'dist/\n.cache/\n',
    ...files,
  });
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  git('init', '--quiet');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Start');
  return { root, git };
}
