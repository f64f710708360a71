import { onTestFinished } from 'vitest';
import { writeFiles } from './components.ts';

/** Makes a new npm project with this `.npmrc` the current folder, until the test ends. */
export function enterProject(npmrc: string): void {
  const former = process.cwd();
  process.chdir(writeFiles({ 'package.json': {}, '.npmrc': npmrc }));
  onTestFinished(() => process.chdir(former));
}
