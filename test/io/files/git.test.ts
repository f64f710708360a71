import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { listUncommitted, openGit, readAtCommits } from '../../../src/io/files/git.ts';
import { temporaryFolder, withGit, writeIn } from '../../harness/root.ts';

test('a repository or a folder in place of a file costs no other file its content', () => {
  const dir = withGit(temporaryFolder());
  const git = (...args: string[]) =>
    execFileSync('git', [
      '-C',
      dir,
      '-c',
      'user.name=Jane',
      '-c',
      'user.email=j@a.example',
      ...args,
    ]);
  const readHead = () => git('rev-parse', 'HEAD').toString().trim();
  writeIn(dir, 'data/a.json', 'first\n');
  writeIn(dir, 'data/c.json/x', '');
  writeIn(dir, 'data/d.json', 'last\n');
  git('add', '--all');
  git('update-index', '--add', '--cacheinfo', `160000,${readHead()},data/b.json`);
  git('commit', '--quiet', '--message', 'Nest');
  const commit = readHead();

  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ commit, file: `data/${name}.json` }));

  expect(readAtCommits(dir, files).map(({ file, content }) => [file, content])).toEqual([
    ['data/a.json', 'first\n'],
    ['data/d.json', 'last\n'],
  ]);
});

test('a file that was moved is uncommitted by both of its names', () => {
  const dir = withGit(temporaryFolder());
  const git = openGit(dir, process.env);
  writeIn(dir, 'data/svc.json', 'releases\n');
  git(['add', '--all']);
  git(['-c', 'user.name=Jane', '-c', 'user.email=j@a.example', 'commit', '--quiet', '-m', 'Add']);
  git(['mv', 'data/svc.json', 'data/server.json']);

  expect(listUncommitted(git, 'data')).toEqual(['data/server.json', 'data/svc.json']);
});
