import type * as More from './more.ts';

/** The script of plans, and of questions that are not just a name and a version. */
export function loadMore(): Promise<typeof More> {
  // The build writes all scripts to one folder. The variable keeps the bundler from resolving the path.
  const file = './more.js';
  return import(file);
}
