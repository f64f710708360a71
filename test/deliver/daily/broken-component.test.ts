import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { npmRegistry } from '../../harness/npm-registry.ts';
import { linesOf } from '../../harness/cli.ts';
import { definition, makeRoot, readJsonIn, writeIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';

test('a broken definition keeps the day from publishing, but not from recording what the others found', async () => {
  const { root, git } = await commitIndex({ 'components/broken.json': '{ "title": }' });

  const day = await run(['daily', '--skip-publish', '--root', root]);

  expect(day.status).toBe(1);
  expect(day.stderr).toContain('error: components/broken.json: not JSON: ');
  expect(git('show', 'HEAD:data/svc.json')).toContain('"1.0.0"');
  expect(readJsonIn(root, '.cache/daily.json')).toMatchObject({
    isBuilt: false,
    attention: [{ kind: 'input', subject: 'components/broken.json' }],
  });
});

test.each([
  ['was cut', (path: string) => truncateSync(path, 40)],
  ['is gone', (path: string) => rmSync(path)],
  ['lacks a release', (path: string) => writeFileSync(path, JSON.stringify({ releases: [recorded[1]] }))],
])(
  'a data file that %s since the last commit is not committed, and no day is recorded anew',
  async (_, spoil) => {
    const { root, git } = await commitIndex({ 'data/svc.json': { releases: recorded } });
    const before = git('rev-parse', 'HEAD');
    spoil(join(root, 'data/svc.json'));

    const day = await run(['daily', '--skip-publish', '--root', root]);

    expect(day.status).toBe(1);
    expect(day.stderr).toMatch(
      /error: data\/svc\.json: lacks [12] of the 2 releases of the last commit\. Restore it: git restore data\/svc\.json\. Nothing was gathered/,
    );
    expect(git('rev-parse', 'HEAD')).toBe(before);
    git('restore', 'data/svc.json');
    expect((await run(['daily', '--skip-publish', '--root', root])).status).toBe(0);
    expect(readJsonIn(root, 'data/svc.json')).toMatchObject({ releases: recorded });
  },
);

test('a file that was never committed and cannot be read is not committed, nor a journal that lost lines', async () => {
  const { root, git } = await commitIndex({});
  await run(['daily', '--skip-publish', '--root', root]);
  const before = git('rev-parse', 'HEAD');
  writeIn(root, 'components/other.json', definition());
  writeIn(root, 'data/other.json', '{"releases": [');
  writeIn(root, 'data/freshness/svc.json', '{');
  const journal = join(root, 'data/journal/svc.ndjson');
  writeFileSync(journal, readFileSync(journal, 'utf8').replace(/^.*\n/, ''));

  const day = await run(['daily', '--skip-publish', '--root', root]);

  expect(day.status).toBe(1);
  expect(linesOf(day.stderr)).toEqual([
    expect.stringMatching(/^error: data\/freshness\/svc\.json: not JSON: /),
    'error: data/freshness/svc.json: cannot be committed. Restore it: git restore data/freshness/svc.json. Nothing was gathered',
    'error: data/journal/svc.ndjson: does not begin with the lines of the last commit. Restore it: git restore data/journal/svc.ndjson. Nothing was gathered',
    expect.stringMatching(/^error: data\/other\.json: not JSON: /),
    'error: data/other.json: cannot be committed. Remove it, or correct it. Nothing was gathered',
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

const recorded = [
  { version: '0.9.0', releaseTimestamp: '2025-01-01' },
  { version: '1.0.0', releaseTimestamp: '2026-01-01' },
];

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
