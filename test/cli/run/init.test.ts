import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStarter } from '../../../src/cli/run/init.ts';
import { runCli } from '../../harness/cli.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { packageFile } from '../../harness/site.ts';

const folder = createFolder();
execFileSync('git', ['init', '--quiet', folder]);
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
for (const path of ['README.md', '.gitignore']) {
  writeFileSync(join(folder, path), 'Ours.\n');
}
const options = ['--host', 'cloudflare', '--releases-url', 'https://releases.example.com/'];
const ended = await runCli(['init', folder, ...options]);

test('init writes the settings, the workflows and a dependency on release-index', () => {
  expect(JSON.parse(read('site/site.json'))).toMatchObject({
    releasesUrl: 'https://releases.example.com',
    repositoryUrl: 'https://repository.invalid',
    hosting: 'cloudflare',
  });
  expect(existsSync(join(folder, 'program', packageFile))).toBe(true);
  expect(JSON.parse(read('package.json'))).toMatchObject({
    dependencies: { 'release-index': `file:program/${packageFile}` },
    devDependencies: { wrangler: '4.156.0' },
  });
  expect(read('.github/workflows/daily.yml')).toContain('secrets.CLOUDFLARE_API_TOKEN');
});

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

test('init chooses a self-hosted runner for a site that is published to a folder', () => {
  const files = readStarter('folder', { host: '/srv/releases' });
  expect(files.get('.github/workflows/daily.yml')).toContain('self-hosted');
});

test('init prints the next steps, and the existing files that it did not change', () => {
  expect(ended.stdout).toContain(`1. cd ${folder}`);
  expect(ended.stdout).toContain('CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID');
  expect(ended.stdout).toContain('replace the addresses that end in .invalid');
  expect(ended.stderr).toContain('README.md stays as it is');
  expect(ended.stderr).toContain('.gitignore stays as it is. Add: node_modules/ dist/ .cache/ ');
  expect([read('README.md'), read('.gitignore')]).toEqual(['Ours.\n', 'Ours.\n']);
  expect(ended.status).toBe(0);
});

test.each(['github', 'gitlab', 'Cloudflare', 'cloudfare', 'netlify', 'folder', ''])(
  'init rejects "--host %s", and names the three forms',
  async (host) => {
    const target = join(createFolder(), 'index');

    const { status, stderr } = await runCli(['init', target, '--host', host]);

    expect(stderr).toContain(
      'Expected pages (GitHub or GitLab), cloudflare, or a folder with a slash, such as /srv/releases.',
    );
    expect([status, existsSync(target)]).toEqual([2, false]);
  },
);

test('init prints a command that a shell reads as one folder', async () => {
  const target = join(createFolder(), "it's $HOME; here");

  const { stdout } = await runCli(['init', target, '--host', './site']);

  const [, command = ''] = /1\. (.+)/.exec(stdout)!;
  expect(execFileSync('sh', ['-c', `${command} && pwd`], { encoding: 'utf8' })).toBe(`${target}\n`);
});

test.each([
  [folder, '--host', 'pages', `${folder}: already contains components, data, site, `],
  [`${folder}/other`, '--repository-url', 'http://a.example', 'site/site.json: repositoryUrl: '],
])('"init %s %s %s" is rejected before anything is written', async (target, ...words) => {
  const problem = words.pop()!;

  const { status, stderr } = await runCli(['init', target, ...words]);

  expect(stderr).toContain(problem);
  expect([status, existsSync(join(folder, 'other'))]).toEqual([1, false]);
  expect(read('site/site.json')).toContain('cloudflare');
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
