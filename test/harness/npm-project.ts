import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Until the test ends, the current folder is a project of npm with this `.npmrc`. */
export function enterProject(npmrc: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'npmrc-'));
  const former = process.cwd();
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, '.npmrc'), npmrc);
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(former);
    rmSync(folder, { recursive: true });
  });
}
