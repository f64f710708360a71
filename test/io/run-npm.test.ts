import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runNpm } from '../../src/io/run-npm.ts';
import { temporaryFolder } from '../harness/root.ts';

test('another package manager that started the program is not run as npm', () => {
  const folder = temporaryFolder();
  const yarn = join(folder, 'yarn.js');
  writeFileSync(yarn, '');

  const result = runNpm(['--version'], folder, { PATH: '', npm_execpath: yarn });

  expect(result).toContain('ENOENT');
});
