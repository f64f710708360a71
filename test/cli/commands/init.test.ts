import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf } from '../../harness/cli.ts';
import { filesIn, pathsIn, readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { checkout } from '../../harness/checkout.ts';

const addresses = [
  '--releases-url',
  'https://releases.example.com',
  '--repository-url',
  'https://example.com/r',
];

test('a new index with addresses passes check and build', async () => {
  const folder = join(temporaryFolder(), 'new/index');

  const { status, stdout, stderr } = await runHere(['init', folder, ...addresses]);
  const built = await runHere(['build', '--root', folder]);
  const checked = await runHere(['check', '--root', folder]);

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(linesOf(stdout)).toEqual(
    expect.arrayContaining(['components/.gitkeep', 'site/site.json', `  1. cd ${folder}`]),
  );
  expect([built.status, checked.status, checked.stderr]).toEqual([0, 0, '']);
  expect(readJsonIn(folder, 'dist/renovate.json')).toHaveProperty('customDatasources.release-index');
});

test('a new index is pinned to this version and has no placeholders left', async () => {
  const folder = temporaryFolder();
  const { version, devDependencies } = readJsonIn<{
    version: string;
    devDependencies: Record<string, string>;
  }>(checkout, 'package.json');

  await runHere(['init', folder, ...addresses]);

  expect(readJsonIn(folder, 'package.json')).toMatchObject({
    dependencies: { 'release-index': version },
    devDependencies: { wrangler: devDependencies['wrangler'] },
  });
  for (const [path, text] of Object.entries(filesIn(folder)))
    expect(text, path).not.toMatch(/OWNER|\bVERSION\b|WRANGLER|(?<!WEBHOOK)_URL\b/);
});

test('check reports a missing address, and publish rejects it', async () => {
  const folder = temporaryFolder();

  await runHere(['init', folder]);
  await runHere(['build', '--root', folder]);
  const checked = await runHere(['check', '--root', folder]);
  const published = await runHere(['publish', '--dry-run', '--root', folder]);

  expect(checked.status).toBe(0);
  expect(linesOf(checked.stderr)).toEqual([
    expect.stringContaining(
      'warning: site/site.json: releasesUrl: https://releases.invalid is a placeholder',
    ),
    expect.stringContaining(
      'warning: site/site.json: repositoryUrl: https://repository.invalid is a placeholder',
    ),
  ]);
  expect(published.status).toBe(1);
  expect(published.stderr).toContain('error: site/site.json: releasesUrl: https://releases.invalid');
});

test('names all existing files, and writes nothing', async () => {
  const folder = temporaryFolder();
  writeIn(folder, 'README.md', 'mine');
  writeIn(folder, '.github/workflows/daily.yml', 'mine');
  symlinkSync('nowhere', join(folder, '.gitignore'));
  const before = pathsIn(folder);

  const { status, stdout, stderr } = await runHere(['init', folder]);

  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(linesOf(stderr)).toEqual(
    ['.github/workflows/daily.yml', '.gitignore', 'README.md'].map(
      (name) =>
        `error: ${join(folder, name)}: already exists. Move it away, or choose another folder. Nothing was written`,
    ),
  );
  expect(pathsIn(folder)).toEqual(before);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
});

test('leaves no files where one cannot be written', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'site'), 'a file where a folder has to be');

  const { status } = await runHere(['init', folder]);
  const { status: inFile, stderr } = await runHere(['init', join(folder, 'site')]);

  expect([status, inFile]).toEqual([1, 1]);
  expect(stderr).toContain(`${join(folder, 'site')} is not a folder. Nothing was written`);
  expect(pathsIn(folder)).toEqual(['site']);
});

test.each([
  ['--releases-url', 'http://example.com', 'expected an https: address (plain http: for loopback only)'],
  ['--repository-url', 'git@example.com:r.git', 'expected an https: address'],
])('rejects a malformed address in %s', async (option, value, expected) => {
  const folder = temporaryFolder();

  const { status, stderr } = await runHere(['init', folder, option, value]);

  expect(status).toBe(2);
  expect(linesOf(stderr)[0]).toBe(`${option}: ${expected}; got "${value.replace('git@', '…@')}"`);
  expect(pathsIn(folder)).toEqual([]);
});
