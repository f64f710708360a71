/** Creates indexes with `init`, each of which packs the program. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { createFolder } from '../../harness/index-folder.ts';

test.each([
  ['too old', true],
  ['new enough', false],
])("if the machine's Node is %s, init adds a package with Node: %s", async (_, isAdded) => {
  const bin = createFolder();
  const node = `#!/bin/sh\nexit ${Number(isAdded)}\n`;
  writeFileSync(join(bin, 'node'), node, { mode: 0o755 });
  const index = join(createFolder(), 'index');

  await runCli(['init', index], { PATH: `${bin}:${process.env['PATH']}` });

  const text = readFileSync(join(index, 'package.json'), 'utf8');
  const { optionalDependencies } = JSON.parse(text) as { optionalDependencies?: object };
  const dependency = { 'release-index-node': 'file:program/node' };
  expect(optionalDependencies).toEqual(isAdded ? dependency : undefined);
  expect(existsSync(join(index, 'program/node/package.json'))).toBe(isAdded);
});

test('init prints a command that a shell reads as one folder', async () => {
  const target = join(createFolder(), "it's $HOME; here");

  const { stdout } = await runCli(['init', target, '--host', './site']);

  const [, command = ''] = /1\. (.+)/.exec(stdout)!;
  expect(execFileSync('sh', ['-c', `${command} && pwd`], { encoding: 'utf8' })).toBe(`${target}\n`);
});

test('in a folder of a repository, init writes no workflow that GitHub does not read, and README does not name one', async () => {
  const repository = createFolder();
  execFileSync('git', ['init', '--quiet', repository]);

  const { stdout, stderr } = await runCli(['init', join(repository, 'docs/releases')]);

  const readme = readFileSync(join(repository, 'docs/releases/README.md'), 'utf8');
  expect(stderr).toContain('.github/workflows was not written, because GitHub runs only workflows');
  expect(stdout).not.toContain('.github/workflows');
  expect(existsSync(join(repository, 'docs/releases/.github/workflows'))).toBe(false);
  expect(readme).not.toContain('.github/workflows');
  expect(readme).toContain('# a workflow at the top of the repository (SETUP, ');
  expect(readme).toContain('<owner>/<repository>/docs/releases/.github/actions/scan@main');
  // The path in the example of README is the path of the action.
  expect(existsSync(join(repository, 'docs/releases/.github/actions/scan/action.yml'))).toBe(true);
});

test('at the top of a repository, README names the workflow and the action that init writes', async () => {
  const repository = join(createFolder(), 'index');

  const { stderr } = await runCli(['init', repository]);

  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  expect(stderr).not.toContain('GitHub runs only workflows');
  expect(readme).toContain(
    'npx release-index daily                 # .github/workflows/daily.yml runs',
  );
  expect(readme).toContain('<owner>/<repository>/.github/actions/scan@main');
  expect(existsSync(join(repository, '.github/workflows/daily.yml'))).toBe(true);
});
