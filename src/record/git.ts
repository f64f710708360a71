import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError, inputError, readProblems, throwAll, type Problem } from '../core/errors.ts';
import { keptEntries } from '../core/index-files.ts';
import { runProgram } from '../core/run-program.ts';
import { formatCount, formatList } from '../core/text.ts';

/** Runs a git command and returns its output. Throws an `InputError` if the command fails. If the signal is aborted, throws its reason. */
export type Git = (...args: readonly string[]) => Promise<string>;

/** Runs git in a folder, without prompts and in English, until a signal ends it. */
export function openGit(folder: string, signal: AbortSignal): Git {
  return async (...args) => {
    try {
      return await runProgram('git', ['-C', folder, ...args], {
        subject: `git ${args[0]}`,
        signal,
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      });
    } catch (error) {
      throw explainFailure(error, folder);
    }
  };
}

/** Turns git's advice about a missing repository or a missing remote branch into a sentence with the command. */
function explainFailure(error: unknown, folder: string): unknown {
  const { message = '' } = error instanceof InputError ? error : {};
  if (message.includes('not a git repository')) {
    const advice =
      'To make one: git init && git add --all && git commit --message="Start the index"';
    return inputError(folder, `not a git repository, but the history is needed. ${advice}`);
  }
  if (/no tracking information|no upstream configured/i.test(message)) {
    const advice =
      'Run: git push --set-upstream origin HEAD. If there is no remote repository, first: git remote add origin <url>';
    return inputError('git', `this branch has no branch to push to. ${advice}`);
  }
  return error;
}

const searchedCommits = 50;

/**
 * Finds the newest commit in which these files are usable. They are not usable if `read` throws or returns undefined. `newest`: the first
 * commit that is searched.
 */
export async function findCommit<T>(
  root: string,
  signal: AbortSignal,
  paths: readonly string[],
  read: (...texts: string[]) => T | undefined,
  newest = 'HEAD',
): Promise<{ commit: string; value: T } | undefined> {
  const git = openGit(root, signal);
  const log = ['log', '--format=%h', `--max-count=${searchedCommits}`, newest];
  for (const commit of await listLines(git, ...log, '--', ...paths)) {
    try {
      const texts = paths.map((path) => git('show', `${commit}:./${path}`));
      const value = read(...(await Promise.all(texts)));
      if (value !== undefined) {
        return { commit, value };
      }
    } catch {
      // An error in this commit is ignored, because an earlier commit may have readable files.
      signal.throwIfAborted();
    }
  }
  return undefined;
}

/**
 * Finds the newest commit in which `data/` is whole. Searches all branches and the reflog. After a force-push, only the reflog has the
 * replaced commits.
 */
export async function findDataCommit(
  root: string,
  signal: AbortSignal,
  isWhole: (folder: string) => boolean,
): Promise<string | undefined> {
  const git = openGit(root, signal);
  // If a merge kept only one side's data, only `--full-history` lists the commits of the other side.
  const log = [
    'log',
    '--format=%h',
    `--max-count=${searchedCommits}`,
    '--full-history',
    '--date-order',
  ];
  const everywhere = ['--all', '--reflog', 'HEAD', '--', 'data'];
  const commits = await orElse([], listLines(git, ...log, ...everywhere));
  for (const commit of commits) {
    const folder = mkdtempSync(join(tmpdir(), 'release-index-'));
    try {
      // If the files of this commit cannot be read, an earlier commit may have undamaged files.
      const unpacked = unpackCommit(root, commit, folder, signal, 'data');
      if (
        await orElse(
          false,
          unpacked.then(() => isWhole(folder)),
        )
      ) {
        return commit;
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return undefined;
}

/** Reads a file in a commit. Undefined if the commit does not contain the file. */
export async function readCommitted(
  git: Git,
  commit: string,
  path: string,
): Promise<string | undefined> {
  return orElse(undefined, git('show', `${commit}:./${path}`));
}

/** Tells whether a commit is in the history of another commit. False if one of the commits is unknown. */
export async function isAncestor(git: Git, commit: string, other: string): Promise<boolean> {
  return orElse(
    false,
    git('merge-base', '--is-ancestor', commit, other).then(() => true),
  );
}

/** Tells whether the clone has only the newest commits. */
export async function isShallow(git: Git): Promise<boolean> {
  return (await orElse('', git('rev-parse', '--is-shallow-repository'))) === 'true';
}

/** Returns `fallback` if a command ends with an `InputError`. */
async function orElse<T>(fallback: T, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    readProblems(error);
    return fallback;
  }
}

/** Lists the lines that a command prints. */
async function listLines(git: Git, ...command: readonly string[]): Promise<string[]> {
  return (await git(...command)).split('\n').filter(Boolean);
}

/** Lists the lines that a command prints. Empty outside of a repository, or if git is missing. */
export async function listLinesIfAny(git: Git, ...command: readonly string[]): Promise<string[]> {
  try {
    return await listLines(git, ...command);
  } catch (error) {
    if (error instanceof InputError || (error as NodeJS.ErrnoException).code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}

/**
 * Writes the files of a commit into a folder. `paths`: if given, only the files below them. A git work tree is not used, because it would
 * stay after a crash.
 */
export async function unpackCommit(
  root: string,
  commit: string,
  folder: string,
  signal: AbortSignal,
  ...paths: readonly string[]
): Promise<void> {
  const archive = join(folder, 'commit.tar');
  const git = openGit(root, signal);
  await git('archive', '--format=tar', `--output=${archive}`, '--end-of-options', commit, ...paths);
  await runProgram('tar', ['-xf', archive, '-C', folder], { subject: commit, signal });
}

/**
 * Finds committed files in the CLI's own folders: `.cache` contains answers of registries, and `.access` contains access keys. People
 * cannot check the content of these files. The CLI would use a committed answer as if a registry had just sent it. Returns an empty list
 * outside of a repository.
 */
export async function findCommittedKept(root: string, signal: AbortSignal): Promise<Problem[]> {
  // Some file systems ignore case, so `.Cache` may be `.cache`.
  const patterns = keptEntries.map((folder) => `:(icase)${folder}`);
  const paths = await listLinesIfAny(openGit(root, signal), 'ls-files', '--', ...patterns);
  const byFolder = Map.groupBy(paths, (path) => path.replace(/^"/, '').split('/')[0]!);
  return Array.from(byFolder, ([folder, own]) => {
    const remedy = `git rm -rf ${folder} && git commit --message="Delete ${folder}"`;
    const files = `${formatCount(own.length, 'committed file')} (${formatList(own, 3)})`;
    const message = `has ${files}, which the program would use as its own. Delete it in a commit: ${remedy}`;
    return { subject: folder, message };
  });
}

/** Lists the paths that git ignores and that are not committed. Empty outside of a repository. */
export async function listIgnored(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  return listLinesIfAny(openGit(root, signal), 'check-ignore', '--', ...paths);
}

/**
 * Lists the paths that differ between a commit and the files of a folder, including new files. Undefined if git does not know the commit,
 * for example because a shallow clone lacks it.
 */
export async function listChangedSince(
  root: string,
  commit: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const git = openGit(root, signal);
  const known = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${commit}^{commit}`];
  const [hash] = await listLinesIfAny(git, ...known);
  if (hash === undefined) {
    return undefined;
  }

  const changed = await listLines(git, ...diffNames, '--relative', hash, '--', ...paths);
  return [...changed, ...(await listLines(git, 'ls-files', '--others', '--', ...paths))];
}

/** Throws an `InputError` if `findCommittedKept` finds problems. */
export async function rejectCommittedKept(root: string, signal: AbortSignal): Promise<void> {
  throwAll(await findCommittedKept(root, signal));
}

/** Throws if a file is not committed, because published content must be in the history. */
export async function rejectUncommitted(git: Git): Promise<void> {
  const changes = await listLines(git, 'status', '--porcelain', '--', 'components', 'site');
  const message = 'is not committed. Commit it, then run this again';
  throwAll(changes.map((line) => ({ subject: line.trim().replace(/^\S+ +/, ''), message })));
}

/** Commits the changes of `data/`. There is always a change, because each run adds at least a record of itself. */
export async function commitData(git: Git, message: string): Promise<void> {
  await git('add', '--all', '--', 'data');
  await git('commit', '--quiet', `--message=${message}`, '--', 'data');
}

/** The git command that lists the paths of changed files. */
const diffNames = ['diff', '--name-only'];
const diffUnmerged = [...diffNames, '--diff-filter=U'];

/** Moves this checkout's commits on top of the commits that others pushed. If the move fails, leaves the checkout as it was. */
export async function rebase(git: Git, ...command: readonly string[]): Promise<void> {
  const branch = await git('branch', '--show-current');
  const head = await git('rev-parse', 'HEAD');
  try {
    await git(...command, '--quiet', '--autostash');
  } catch (error) {
    // If a branch is checked out, the rebase has not begun or has ended.
    if ((await git('branch', '--show-current')) === branch) {
      throw error;
    }

    const unmerged = await listLines(git, ...diffUnmerged);
    await git('rebase', '--abort');
    throw createConflictError(unmerged);
  }

  const unmerged = await listLines(git, ...diffUnmerged);
  if (unmerged.length > 0) {
    // Here, git has put uncommitted changes into a stash, because they conflict with the pushed commits. The checkout returns to its former
    // commit. Then it gets the changes back from the stash.
    await git('reset', '--quiet', '--hard', head);
    await git('stash', 'pop', '--quiet', '--index');
    throw createConflictError(unmerged);
  }
}

/** Creates the error for a conflict with pushed commits. `paths`: files that others changed. */
function createConflictError(paths: readonly string[]): InputError {
  // Only runs write into `data/runs/`. So a conflict in this folder is caused by another run.
  const run = paths.find((path) => path.startsWith('data/runs/'));
  const conflict = run ? `another run has pushed ${run}` : `others have pushed ${paths[0]}`;
  const advice = run ? '. If two schedulers run "daily", stop one of them' : '';
  return inputError(
    'git push',
    `${conflict} meanwhile, so nothing was pushed${advice}. ` +
      `Undo what this checkout has not pushed (${wayBack}), then run this again`,
  );
}

/** The command that undoes everything that is not pushed. It also stashes files that a killed run left. */
const wayBack = 'git stash --include-untracked -- data && git reset --keep @{upstream}';

/**
 * Pushes. If others have pushed, first moves this checkout's commits on top of theirs. Throws an `InputError` if their commits change files
 * that this run has read.
 */
export async function push(git: Git): Promise<void> {
  try {
    await git('push', '--quiet');
  } catch (error) {
    if (!/rejected|fetch first/.test((error as Error).message)) {
      throw error;
    }

    await git('fetch', '--quiet');
    const judged = ['components', 'data', 'site'];
    const changed = await listLines(git, ...diffNames, 'HEAD...@{upstream}', '--', ...judged);
    if (changed.length > 0) {
      throw createConflictError(changed);
    }

    await rebase(git, 'rebase', '@{upstream}');
    await git('push', '--quiet');
  }
}
