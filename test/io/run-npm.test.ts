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

test('the reason for a failure has the explanation, not only the code of npm', () => {
  const folder = temporaryFolder();
  const npm = join(folder, 'npm-cli.js');
  const lines = ['code ENOENT', 'syscall open', '', "enoent no such file, open 'tool.tgz'"];
  const output = lines.map((line) => `npm error ${line}`.trim()).join('\n');
  writeFileSync(npm, `console.error(${JSON.stringify(output)}); process.exit(1);`);

  const result = runNpm(['ci'], folder, { npm_execpath: npm });

  expect(result).toBe("code ENOENT syscall open enoent no such file, open 'tool.tgz'");
});
