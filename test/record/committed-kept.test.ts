import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCommittedKept } from '../../src/record/git.ts';
import {
  createCopies,
  listReleases,
  openOperatedIndex,
  type OperatedIndex,
} from '../harness/operated-index.ts';

const start = '2026-03-01';

const prepared = await openOperatedIndex();
prepared.write('.gitignore', 'dist/\n.cache/\n.access/\n');
prepared.commit();
prepared.git('push', '--quiet');
const openCopy = createCopies(prepared);

const commitForced = (index: OperatedIndex, ...paths: string[]) => {
  index.git('add', '--force', ...paths);
  index.git('commit', '--quiet', '--message=Speed up the first run');
};

test('a committed cache file stops check, plan, gather and daily before the first request', async () => {
  const index = openCopy();
  index.define('svc', listReleases(1));
  index.commit();
  index.write('.cache/http/0', '');
  commitForced(index, '.cache/http');
  const message =
    '.cache has 1 committed file (.cache/http/0), which the program would use as its own. Delete it in a commit: git rm -rf .cache && git commit --message="Delete .cache"';

  const ended = [await index.commitDay(start)];
  for (const line of ['check', 'plan --base HEAD^1', 'plan', 'gather']) {
    ended.push(await index.run(line, start));
  }

  for (const { stderr, status } of ended) {
    expect(stderr).toContain(`error: ${message}\n`);
    expect(status).toBe(1);
  }
  expect(index.requests).toEqual([]);
  expect(index.data.readRuns()).toEqual([]);
});

test.for<[title: string, folder: string, commit: (index: OperatedIndex) => void]>([
  [
    'a folder .Cache, which is .cache on a case-insensitive file system',
    '.Cache',
    (index) => {
      index.write('.Cache/http/0', '');
      commitForced(index, '.Cache');
    },
  ],
  [
    'a submodule in .cache',
    '.cache',
    (index) => {
      const module = index.clone().root;
      const allow = ['-c', 'protocol.file.allow=always'];
      index.git(...allow, 'submodule', 'add', '--force', '--quiet', module, '.cache/http');
      commitForced(index, '.cache/http');
    },
  ],
  [
    'a committed list of access keys',
    '.access',
    (index) => {
      index.write('.access/keys.json', []);
      commitForced(index, '.access');
    },
  ],
  [
    'a cache file whose name has a line break',
    '.cache',
    (index) => {
      index.write('.cache/http/a\n"b', '');
      commitForced(index, '.cache');
    },
  ],
  [
    'a file instead of the folder .access',
    '.access',
    (index) => {
      index.write('.access', '');
      commitForced(index, '.access');
    },
  ],
])(
  'the check for committed private files finds %s, and prints the command that deletes it',
  async ([, folder, commit]) => {
    const index = openCopy();
    const find = () => findCommittedKept(index.root, new AbortController().signal);
    expect(await find()).toEqual([]);

    commit(index);
    const [problem, ...others] = await find();

    expect(problem?.subject).toBe(folder);
    expect(problem?.message).toMatch(/^has 1 committed file \(/);
    expect(others).toEqual([]);
    const [, command = ''] = /Delete it in a commit: (.+)/.exec(problem!.message) ?? [];
    execFileSync('sh', ['-c', command], { cwd: index.root, stdio: 'ignore' });
    expect(await find()).toEqual([]);
  },
);

test('gather works outside a Git repository', async () => {
  const index = openCopy();
  index.define('svc', listReleases(1));
  execFileSync('rm', ['-r', join(index.root, '.git')]);

  expect(await index.run('gather', start)).toMatchObject({ status: 0 });
});
