import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { program } from './harness/example.ts';
import { createFolder } from './harness/index-folder.ts';
import { packageFile } from './harness/site.ts';

const folder = createFolder();
/** What npm installs of the package. */
const installed = join(folder, 'node_modules/release-index');

function unpack(file: string, target: string): void {
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components=1']);
}

const pack = (target: string, umask: string) =>
  execFileSync('sh', ['-c', `umask ${umask} && exec node .ci/pack.ts ${target}`], { cwd: program });

beforeAll(() => {
  pack(folder, '022');
  unpack(join(folder, packageFile), installed);
  for (const name of readdirSync(join(program, 'node_modules'))) {
    symlinkSync(join(program, 'node_modules', name), join(folder, 'node_modules', name));
  }
});

test('the same checkout packs the same bytes, whatever modes its files have', () => {
  const target = join(createFolder(), 'other');
  pack(target, '077');

  expect(readFileSync(join(target, packageFile))).toEqual(readFileSync(join(folder, packageFile)));
});

test('"init" of an installed package packs it again for the index that it makes', () => {
  const index = join(folder, 'index');
  execFileSync('node', [join(installed, 'src/cli.js'), 'init', index], { stdio: 'pipe' });

  const manifest = JSON.parse(readFileSync(join(index, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({
    dependencies: { 'release-index': `file:program/${packageFile}` },
  });
  const again = join(folder, 'again');
  unpack(join(index, 'program', packageFile), again);
  expect(execFileSync('diff', ['-r', installed, again]).toString()).toBe('');
});
