import type * as More from './more.ts';

/**
 * Loads a script that a page needs only sometimes. The build writes all scripts to one folder. The parameter keeps the bundler
 * from resolving the path.
 */
export function loadScript<Script>(file: `./${string}.js`): Promise<Script> {
  return import(file);
}

/** Loads the script of bills of materials, guesses and questions that are not just a name and a version. */
export function loadMore(): Promise<typeof More> {
  return loadScript('./more.js');
}
