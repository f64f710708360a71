import { onTestFinished } from 'vitest';
import { writeFiles } from './components.ts';

/** Creates an npm project with this `.npmrc`, and makes it the current folder until the test ends. */
export function enterProject(npmrc: string): void {
  enterFolder(writeFiles({ 'package.json': {}, '.npmrc': npmrc }));
}

/** Makes this folder the current folder until the test ends. */
export function enterFolder(folder: string): void {
  const former = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(former));
}
