import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { openGit, type Git } from '../../io/files/git.ts';
import type { Root } from '../../io/files/root.ts';

/** The list of held changes. Each run writes its own. */
export const heldFile = 'data/held.json';

export interface RepositoryInput {
  root: Root;
  /** The folder of this program, which may be part of the same repository. */
  checkout: string;
  env: NodeJS.ProcessEnv;
}

/** The git repository that holds the index, which may be one of its folders. */
export interface Repository extends Omit<RepositoryInput, 'env'> {
  git: Git;
  /** Its top folder, absolute. */
  top: string;
}

/** Throws a GitError outside a repository, and in one without a commit. */
export function openRepository({ root, checkout, env }: RepositoryInput): Repository {
  const git = openGit(root.dir, env);
  const [top = ''] = git(['rev-parse', '--show-toplevel', 'HEAD']).split('\n');
  return { root, checkout, git, top };
}

/** Whether a file, named from the top of the repository, is part of this program. */
export function isOfProgram({ checkout, top }: Repository, file: string): boolean {
  const name = relative(realpathSync(checkout), join(top, file)).replaceAll(sep, '/');
  return /^(?:src\/|package(?:-lock)?\.json$)/.test(name);
}

/** Takes over the commits of others, and puts the unpushed commits on top of them. */
export function rebase({ root, git }: Repository): void {
  try {
    git(['pull', '--rebase', '--autostash', '--quiet']);
  } catch (error) {
    // The next run must not find the checkout in the middle of a rebase.
    const folder = git(['rev-parse', '--git-path', 'rebase-merge']).trim();
    if (existsSync(resolve(root.dir, folder))) {
      git(['rebase', '--abort']);
    }

    throw error;
  }
}
