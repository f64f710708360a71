import { onTestFinished } from 'vitest';
import { writeFiles } from './components.ts';

/** Until the test ends, the current folder is a project of npm with this `.npmrc`. */
export function enterProject(npmrc: string): void {
  const former = process.cwd();
  process.chdir(writeFiles({ 'package.json': {}, '.npmrc': npmrc }));
  onTestFinished(() => process.chdir(former));
}
