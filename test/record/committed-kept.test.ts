import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCommittedKept } from '../../src/record/git.ts';
import { links } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';
import { createCopies, openOperatedIndex, type OperatedIndex } from '../harness/operated-index.ts';

const [start, next] = ['2026-03-01', '2026-03-02'] as const;

const prepared = await openOperatedIndex();
prepared.write('.gitignore', 'dist/\n.cache/\n.access/\n');
prepared.commit();
prepared.git('push', '--quiet');
const openCopy = createCopies(prepared);

/** Opens an index whose source answers 304 to a request with its ETag. `state.versions` is the list of the source. */
async function openIndex() {
  const state = { versions: ['1.0.0', '1.1.0'], requests: 0 };
  const url = await listen((request, response) => {
    state.requests += 1;
    const headers = { 'content-type': 'application/json', etag: '"list-1"' };
    if (request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const releases = state.versions.map((version) => ({ version }));
    response.writeHead(200, headers).end(JSON.stringify({ releases }));
  });
  const index = openCopy();
  index.write('components/svc.json', {
    title: 'svc',
    ...links,
    sources: [{ datasource: 'json', url: `${url}/svc.json` }],
  });
  index.commit();
  index.git('push', '--quiet');
  return { index, state };
}

const commitForced = (index: OperatedIndex, ...paths: string[]) => {
  index.git('add', '--force', ...paths);
  index.git('commit', '--quiet', '--message=Speed up the first run');
};

/** Commits a cached answer with a version that upstream does not list. */
async function forge({ index, state }: Awaited<ReturnType<typeof openIndex>>) {
  const other = index.clone();
  state.versions.push('9.9.9');
  expect(await other.run('plan', start)).toMatchObject({ status: 0 });
  state.versions.pop();
  commitForced(other, '.cache/http');
  other.git('push', '--quiet');
}

test('a committed cache file stops check, plan and daily before the first request', async () => {
  const opened = await openIndex();
  const { index, state } = opened;
  await forge(opened);
  state.requests = 0;

  // The run pulls the commit with the forged answer.
  const { stderr, status } = await index.commitDay(start, true);
  const others = [
    await index.run('check', start),
    await index.run('plan --base HEAD^1', start),
    await index.run('plan', start),
    await index.run('gather', start),
  ];

  const [, file] = /has 1 committed file \((\.cache\/http\/[\da-f]{64})\)/.exec(stderr) ?? [];
  const command = 'git rm -rf .cache && git commit --message="Delete .cache"';
  const message = `.cache has 1 committed file (${file}), which the program would use as its own. Delete it in a commit: ${command}`;
  expect(stderr).toBe(`error: ${message}\n`);
  expect([status, ...others.map((each) => each.status)]).toEqual([1, 1, 1, 1, 1]);
  for (const each of others) {
    expect(each.stderr).toContain(`error: ${message}\n`);
  }
  expect(state.requests).toBe(0);
  expect(index.data.readRuns()).toEqual([]);

  execFileSync('sh', ['-c', command], { cwd: index.root, stdio: 'ignore' });
  expect(await index.run('daily --push --skip-publish', next)).toMatchObject({ status: 0 });

  expect(JSON.parse(index.read('dist/svc.json'))).toMatchObject({
    releases: [{ version: '1.0.0' }, { version: '1.1.0' }],
  });
  expect(await index.run('check', next)).toMatchObject({ status: 0 });
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
  const { index } = await openIndex();
  execFileSync('rm', ['-r', join(index.root, '.git')]);

  expect(await index.run('gather', start)).toMatchObject({ status: 0 });
});
