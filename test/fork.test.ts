import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { checkout } from './harness/checkout.ts';
import { definition, readJsonIn, temporaryFolder, writeIn } from './harness/root.ts';

let fork: string;

/** The files of the project that are in git or will be, with another index in place of its own. */
beforeAll(() => {
  fork = temporaryFolder();
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: checkout,
    encoding: 'utf8',
  });
  for (const path of listed.split('\n').filter((line) => line !== '' && !/^(?:components|data)\//.test(line)))
    cpSync(join(checkout, path), join(fork, path), { recursive: true });
  symlinkSync(join(checkout, 'node_modules'), join(fork, 'node_modules'), 'dir');
  for (const name of ['alpha', 'beta', 'gamma']) {
    // In one line, as a person may write it.
    writeIn(fork, `components/${name}.json`, JSON.stringify(definition({ title: name })));
    writeIn(fork, `data/${name}.json`, { releases: [{ version: '1.0', releaseTimestamp: '2026-01-31' }] });
  }
});

function script(...args: string[]) {
  return spawnSync('npm', ['run', '--silent', ...args], { cwd: fork, encoding: 'utf8' });
}

test('the definitions of an index need no formatting', () => {
  const prettier = join(fork, 'node_modules/prettier/bin/prettier.cjs');
  const run = spawnSync(process.execPath, [prettier, '--check', 'components/alpha.json', 'data/alpha.json'], {
    cwd: fork,
    encoding: 'utf8',
  });

  expect(run).toMatchObject({ status: 0, stderr: '' });
});

test('an install says nothing of an older Node, which is only needed until the right one is there', () => {
  const folder = temporaryFolder();
  cpSync(join(checkout, '.npmrc'), join(folder, '.npmrc'));
  const manifest = { name: 'x', version: '1.0.0', engines: { node: '>=99' } };
  writeIn(folder, 'package.json', manifest);
  writeIn(folder, 'package-lock.json', { ...manifest, lockfileVersion: 3, packages: { '': manifest } });

  const run = spawnSync('npm', ['ci', '--offline'], { cwd: folder, encoding: 'utf8' });

  expect(run).toMatchObject({ status: 0, stderr: '' });
});

test('an index that takes the place of the sample holds to every rule once it is built', () => {
  const sound = { status: 0, stderr: '', stdout: 'check: 3 components, 0 errors, 0 warnings.\n' };

  expect(script('build')).toMatchObject({ status: 0, stderr: '' });
  expect(script('check')).toMatchObject(sound);
  expect(readJsonIn(fork, 'dist/index.json')).toEqual(['alpha', 'beta', 'gamma']);
});
