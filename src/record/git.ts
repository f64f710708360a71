import { join } from 'node:path';
import { InputError, inputError } from '../core/errors.ts';
import { runProgram } from '../core/run-program.ts';

/** Returns what a command prints. Throws an `InputError`, and the reason of a signal. */
type Git = (...args: readonly string[]) => Promise<string>;

/** Runs git in a folder, without prompts and in English, until a signal ends it. */
export function openGit(folder: string, signal: AbortSignal): Git {
  return (...args) =>
    runProgram('git', ['-C', folder, ...args], {
      subject: `git ${args[0]}`,
      signal,
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    });
}

const searchedCommits = 50;

/** The newest of the last commits of these files whose texts can be read: the reader neither throws nor returns undefined. */
export async function findCommit<T>(
  root: string,
  signal: AbortSignal,
  paths: readonly string[],
  read: (...texts: string[]) => T | undefined,
): Promise<{ commit: string; value: T } | undefined> {
  const git = openGit(root, signal);
  for (const commit of await listCommits(git, paths)) {
    try {
      const texts = paths.map((path) => git('show', `${commit}:./${path}`));
      const value = read(...(await Promise.all(texts)));
      if (value !== undefined) {
        return { commit, value };
      }
    } catch {
      // An earlier one may do.
      signal.throwIfAborted();
    }
  }
  return undefined;
}

async function listCommits(git: Git, paths: readonly string[]): Promise<string[]> {
  const log = await git('log', '--format=%h', `--max-count=${searchedCommits}`, '--', ...paths);
  return log.split('\n').filter(Boolean);
}

/** Writes the files of a commit into a folder. A work tree of git would stay after a crash. */
export async function unpackCommit(
  root: string,
  commit: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const archive = join(folder, 'commit.tar');
  const git = openGit(root, signal);
  await git('archive', '--format=tar', `--output=${archive}`, '--end-of-options', commit);
  await runProgram('tar', ['-xf', archive, '-C', folder], { subject: commit, signal });
}

/** What is published must be in the history. */
export async function rejectUncommitted(git: Git): Promise<void> {
  const changes = await git('status', '--porcelain', '--', 'components', 'site');
  if (changes !== '') {
    const files = changes.split('\n').map((line) => line.trim().replace(/^\S+ +/, ''));
    const message = 'is not committed. Commit it, then run this again';
    throw new InputError(files.map((subject) => ({ subject, message })));
  }
}

/** Commits the changes of `data/`: each day adds at least its run. */
export async function commitData(git: Git, message: string): Promise<void> {
  await git('add', '--all', '--', 'data');
  await git('commit', '--quiet', `--message=${message}`, '--', 'data');
}

/** Goes on top of what others pushed by a command of git, or leaves the checkout as it was. */
export async function rebase(git: Git, ...command: readonly string[]): Promise<void> {
  const branch = await git('branch', '--show-current');
  const head = await git('rev-parse', 'HEAD');
  try {
    await git(...command, '--quiet', '--autostash');
  } catch (error) {
    // During a rebase, there is no branch.
    if ((await git('branch', '--show-current')) === branch) {
      throw error;
    }

    const unmerged = await listChanged(git, '--diff-filter=U');
    await git('rebase', '--abort');
    throw createRivalError(unmerged);
  }

  const unmerged = await listChanged(git, '--diff-filter=U');
  if (unmerged.length > 0) {
    // Changes that were not committed do not fit: git has stashed them.
    await git('reset', '--quiet', '--hard', head);
    await git('stash', 'pop', '--quiet', '--index');
    throw createRivalError(unmerged);
  }
}

/** The paths in a difference that git shows. */
async function listChanged(git: Git, ...range: readonly string[]): Promise<string[]> {
  const printed = await git('diff', '--name-only', ...range);
  return printed.split('\n').filter(Boolean);
}

function createRivalError([path]: readonly string[]): InputError {
  return inputError(
    'git push',
    `others have pushed ${path} meanwhile, so nothing was pushed. ` +
      `Take back what this checkout did not push (${wayBack}), then run it again`,
  );
}

/** What a killed run left goes into the stash. */
const wayBack = 'git stash --include-untracked -- data && git reset --keep @{upstream}';

/** Pushes. Goes on top of what others pushed first, unless that changes what this run has judged. */
export async function push(git: Git): Promise<void> {
  try {
    await git('push', '--quiet');
  } catch (error) {
    if (!/rejected|fetch first/.test((error as Error).message)) {
      throw error;
    }

    await git('fetch', '--quiet');
    const judged = ['components', 'data', 'site'];
    const changed = await listChanged(git, 'HEAD...@{upstream}', '--', ...judged);
    if (changed.length > 0) {
      throw createRivalError(changed);
    }

    await rebase(git, 'rebase', '@{upstream}');
    await git('push', '--quiet');
  }
}
