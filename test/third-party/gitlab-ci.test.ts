import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { gitlabCiLocal } from './install.ts';

/** The names of the jobs that a pipeline of this source runs. Throws where GitLab's own schema rejects the file. */
function jobsOf(folder: string, source: string): string[] {
  const args = ['--list-csv', '--variable', `CI_PIPELINE_SOURCE=${source}`];
  const program = join(gitlabCiLocal.dir, 'dist/index.js');
  const output = execFileSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return Array.from(output.matchAll(/^(release-index-\w+);/gm), ([, name]) => name!);
}

test('the pipeline that init writes is one by the schema of GitLab, and each of its jobs runs when it should', async () => {
  const folder = temporaryFolder();
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder]);
  await runHere(['init', folder, '--ci', 'gitlab']);
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  execFileSync('git', ['-C', folder, 'add', '--all']);
  execFileSync('git', ['-C', folder, ...author, 'commit', '--quiet', '--message', 'Begin']);
  const file = join(folder, '.gitlab-ci.yml');

  expect(jobsOf(folder, 'schedule')).toEqual(['release-index-daily']);
  expect(jobsOf(folder, 'merge_request_event')).toEqual(['release-index-check']);
  expect(jobsOf(folder, 'push')).toEqual([]);
  writeFileSync(file, readFileSync(file, 'utf8').replace('resource_group', 'resource_groups'));
  expect(() => jobsOf(folder, 'schedule')).toThrow('Invalid .gitlab-ci.yml');
});
