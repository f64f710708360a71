import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openRoot } from '../../../src/io/files/root.ts';
import { synchronize } from '../../../src/run/daily/repository.ts';
import { checkout } from '../../harness/checkout.ts';
import { temporaryFolder } from '../../harness/root.ts';

function clone(remote: string) {
  const folder = temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
  git('clone', '--quiet', '-c', 'user.name=Jane', '-c', 'user.email=j@example.com', remote, '.');

  return {
    folder,
    git,
    commit(file: string, message: string) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), message);
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
    },
  };
}

test.each(['index', 'é "a"'])(
  'after a push of others, commits of a person stay for the folder %s of the index, and one of a run does not',
  (index) => {
    const remote = temporaryFolder();
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
    const ours = clone(remote);
    ours.commit(`${index}/data/svc.json`, 'Begin');
    ours.git('push', '--quiet', '--set-upstream', 'origin', 'HEAD:main');
    const theirs = clone(remote);
    theirs.commit(`${index}/components/svc.json`, 'Define svc');
    theirs.git('push', '--quiet');
    ours.commit('README.md', 'Explain the repository');
    ours.commit(`${index}/data/svc.json`, 'Correct a day');
    ours.commit(`${index}/data/runs/2026.ndjson`, 'Record svc');

    const root = openRoot(join(ours.folder, index), checkout);
    synchronize({ root, checkout, env: process.env });

    expect(ours.git('log', '--format=%s').split('\n')).toEqual([
      'Correct a day',
      'Explain the repository',
      'Define svc',
      'Begin',
    ]);
  },
);

/** Two clones of a repository with one commit. */
function cloneTwice() {
  const remote = temporaryFolder();
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  const ours = clone(remote);
  ours.commit('data/svc.json', 'Begin');
  ours.git('push', '--quiet', '--set-upstream', 'origin', 'HEAD:main');
  return { ours, theirs: clone(remote) };
}

test.each([
  ['whole lines', ''],
  ['a last line without its end', '\n'],
])('after a push of %s, a decision stays that a dropped commit of a run held', (_, missingEnd) => {
  const decision = (id: string) =>
    `${JSON.stringify({ id, at: '2026-06-01T05:00:00.000Z', by: 'Jane' })}\n`;
  const { ours, theirs } = cloneTwice();
  const theirDecision = decision('svc-0123456789').slice(0, missingEnd === '' ? undefined : -1);
  theirs.commit('data/decisions.ndjson', theirDecision);
  theirs.git('push', '--quiet');
  writeFileSync(join(ours.folder, 'data/decisions.ndjson'), decision('lib-0123456789'));
  ours.commit('data/runs/2026.ndjson', 'Accept 1 decision');

  const root = openRoot(ours.folder, checkout);
  synchronize({ root, checkout, env: process.env });

  expect(ours.git('status', '--short')).toBe('M data/decisions.ndjson');
  expect(readFileSync(join(ours.folder, 'data/decisions.ndjson'), 'utf8')).toBe(
    decision('svc-0123456789') + decision('lib-0123456789'),
  );
});

test('a decision stays also where the commit of a person is in conflict with the push', () => {
  const decision = `${JSON.stringify({ id: 'lib-0123456789', at: '2026-06-01T05:00:00.000Z', by: 'Jane' })}\n`;
  const { ours, theirs } = cloneTwice();
  theirs.commit('README.md', 'Their text');
  theirs.git('push', '--quiet');
  ours.commit('README.md', 'Our text');
  writeFileSync(join(ours.folder, 'data/decisions.ndjson'), decision);
  ours.commit('data/runs/2026.ndjson', 'Accept 1 decision');

  const root = openRoot(ours.folder, checkout);
  const work = () => synchronize({ root, checkout, env: process.env });

  expect(work).toThrow('git rebase');
  expect(readFileSync(join(ours.folder, 'data/decisions.ndjson'), 'utf8')).toBe(decision);
});
