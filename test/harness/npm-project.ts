import { onTestFinished } from 'vitest';
import { writeFiles } from './components.ts';

/** Creates an npm project with this `.npmrc`, and makes it the current folder until the test ends. */
export function enterProject(npmrc: string): void {
  const former = process.cwd();
  process.chdir(writeFiles({ 'package.json': {}, '.npmrc': npmrc }));
  onTestFinished(() => process.chdir(former));
}
