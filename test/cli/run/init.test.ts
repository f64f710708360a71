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

const host = { host: 'pages' };

test('below the top of a repository, a new index has no workflow, and its README names none', () => {
  const files = readStarter('pages', host, 'docs/releases');
  const readme = files.get('README.md')!;

  expect([...files.keys()].filter((path) => path.startsWith('.github/workflows/'))).toEqual([]);
  expect(readme).not.toContain('.github/workflows');
  expect(readme).toContain('# a workflow at the top of the repository (SETUP, ');
  expect(readme).toContain('<owner>/<repository>/docs/releases/.github/actions/scan@main');
});

test('at the top of a repository, the README of a new index names its workflow', () => {
  const files = readStarter('pages', host);

  expect(files.has('.github/workflows/daily.yml')).toBe(true);
  expect(files.get('README.md')).toContain('.github/workflows/daily.yml runs');
});
