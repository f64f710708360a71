import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../src/core/run-program.ts';
import { createFolder } from '../harness/index-folder.ts';

test('the error of a killed program names the signal', async () => {
  const start = { subject: 'git fetch', signal: new AbortController().signal };

  const output = runProgram('sh', ['-c', 'kill -9 $$'], start);

  await expect(output).rejects.toThrow('git fetch was ended by SIGKILL');
});

test('the error of a failed program includes its last line of output', async () => {
  const folder = createFolder();
  const { signal } = new AbortController();
  const git = (...args: readonly string[]) =>
    runProgram('git', ['-C', folder, ...args], { subject: `git ${args[0]}`, signal });
  await git('init', '--quiet', '--template=', '--initial-branch=main');
  const person = ['-c', 'user.name=Jane', '-c', 'user.email=jane@example.com'];
  const commit = (message: string) => git(...person, 'commit', '--quiet', `--message=${message}`);
  const names = Array.from({ length: 12 }, (_, number) => `${number + 10}.txt`);
  const write = (text: string) => names.forEach((name) => writeFileSync(join(folder, name), text));
  write('1');
  await git('add', '.');
  await commit('1');
  await git('switch', '--quiet', '--create', 'other');
  write('2');
  await git('add', '.');
  await commit('2');
  await git('switch', '--quiet', 'main');
  write('3');

  await expect(git('merge', 'other')).rejects.toThrow(
    /10\.txt \t11\.txt .*… Please commit your changes or stash them before you merge\. Aborting$/,
  );
  writeFileSync(join(folder, '.git/index.lock'), '');
  await expect(git('add', '.')).rejects.toThrow(
    / earlier: remove the file manually to continue\.$/,
  );
});

test('the error of a failed program shortens long output in the middle', async () => {
  const start = { subject: 'tar', signal: new AbortController().signal };

  const output = runProgram('sh', ['-c', 'seq 1000 >&2; exit 2'], start);

  await expect(output).rejects.toThrow('tar: 1 2 3 4 5 … 999 1000');
});
