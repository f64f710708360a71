import type { Env } from '../../core/env.ts';
import { entriesOf, GitError, openGit } from './git.ts';
import type { Root } from './root.ts';

export interface Commit {
  /** All of its digits. */
  id: string;
  /** Paths of definitions, data and the site's own files that are not as in the commit. */
  changed: string[];
}

/** The commit that a root is checked out from; undefined where it is not in git. */
export function readCommit({ dir }: Root, env: Env): Commit | undefined {
  try {
    const git = openGit(dir, env);
    const id = git(['rev-parse', 'HEAD']).trim();
    // What git ignores is not in the commit either.
    const status = [
      'status',
      '--porcelain',
      '--no-renames',
      '--ignored',
      '-z',
      '--',
      'components',
      'data',
      'site',
    ];
    return { id, changed: entriesOf(git(status)).map((entry) => entry.slice('XY '.length)) };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return undefined;
  }
}
