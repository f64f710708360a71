import { writeFiles } from './components.ts';
import { enterFolder } from './index-folder.ts';

/** Creates an npm project with this `.npmrc`, and makes it the current folder until the test ends. */
export function enterProject(npmrc: string): void {
  enterFolder(writeFiles({ 'package.json': {}, '.npmrc': npmrc }));
}
