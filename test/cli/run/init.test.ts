import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCli, type Ended } from '../../harness/cli.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { packageFile } from '../../harness/site.ts';

const folder = createFolder();
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
let ended: Ended;

beforeAll(async () => {
  for (const path of ['README.md', '.gitignore']) {
    writeFileSync(join(folder, path), 'Ours.\n');
  }
  ended = await runCli([
    ...['init', folder, '--host', 'cloudflare'],
    ...['--releases-url', 'https://releases.example.com/'],
  ]);
});

test('writes settings, workflows and the dependency on the packed program', () => {
  expect(JSON.parse(read('site/site.json'))).toMatchObject({
    releasesUrl: 'https://releases.example.com',
    repositoryUrl: 'https://repository.invalid',
    hosting: 'cloudflare',
  });
  expect(existsSync(join(folder, 'program', packageFile))).toBe(true);
  expect(JSON.parse(read('package.json'))).toMatchObject({
    dependencies: { 'release-index': `file:program/${packageFile}` },
    devDependencies: { wrangler: '^4.156.0' },
  });
  expect(read('.github/workflows/daily.yml')).toContain('secrets.CLOUDFLARE_API_TOKEN');
});

test('names the next steps, and what stays as it is', () => {
  expect(ended.stdout).toContain(`1. cd ${folder}`);
  expect(ended.stdout).toContain('CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID');
  expect(ended.stdout).toContain('replace the addresses that end in .invalid');
  expect(ended.stderr).toContain('README.md: stays as it is');
  expect(ended.stderr).toContain('.gitignore: stays as it is. Add: node_modules/ dist/ .cache/ ');
  expect([read('README.md'), read('.gitignore')]).toEqual(['Ours.\n', 'Ours.\n']);
  expect(ended.status).toBe(0);
});

test('never writes into an index that exists', async () => {
  const { status, stderr } = await runCli(['init', folder, '--host', 'pages']);

  expect(stderr).toContain('site: exists already. Nothing was written.');
  expect(read('site/site.json')).toContain('cloudflare');
  expect(status).toBe(1);
});

test('an address that the settings refuse is refused before anything is written', async () => {
  const other = join(folder, 'other');
  const { status, stderr } = await runCli(['init', other, '--repository-url', 'http://a.example']);

  expect(stderr).toContain('site/site.json: repositoryUrl: expected an https: address');
  expect(existsSync(other)).toBe(false);
  expect(status).toBe(1);
});
