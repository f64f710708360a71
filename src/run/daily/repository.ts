import { appendFileSync, existsSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describePath, readIfThere } from '../../io/files/file-system.ts';
import { askGit, GitError, listDifferences, openGit, type Git } from '../../io/files/git.ts';
import { decisionsFile, heldFile, type Root } from '../../io/files/root.ts';

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

/**
 * Brings the checkout up to date before a run that pushes. If others pushed first, drops unpushed commits of runs: this run gathers
 * the data again. If a run without a push published them, the check of the live site stops this run. Decisions of people stay.
 * Returns whether others changed this program, and whether they changed the package-lock.json of the index.
 */
export function synchronize(input: RepositoryInput) {
  const repository = openRepository(input);
  const changes = resetToUpstream(repository);
  const lockFile = join(realpathSync(repository.root.dir), 'package-lock.json');
  return {
    isProgramChanged: changes.some((file) => isOfProgram(repository, file)),
    isLockChanged: changes.some((file) => join(repository.top, file) === lockFile),
  };
}

/**
 * Takes over the commits of others, and returns the files that they changed. If there are any, rebases the unpushed commits up to
 * the last of a person, and drops those after it.
 */
function resetToUpstream(repository: Repository): string[] {
  const { git } = repository;
  const upstream = askGit(git, 'rev-parse', '@{upstream}');
  if (upstream === undefined) {
    return [];
  }

  git(['fetch', '--quiet']);

  // Undefined as the answer of git is "no".
  if (askGit(git, 'merge-base', '--is-ancestor', upstream, '@{upstream}') === undefined) {
    // Without this, the next run would compare with the rewritten history, and accept it.
    const branch = git(['rev-parse', '--symbolic-full-name', '@{upstream}']).trim();
    git(['update-ref', branch, upstream]);
    throw new GitError(
      'the remote lost commits that this checkout has. If that was intended: git fetch && git reset --hard @{upstream}',
    );
  }

  const changes = listDifferences(git, 'HEAD...@{upstream}');
  if (changes.length === 0) {
    return [];
  }

  const decisions = readIfThere(join(repository.root.dir, decisionsFile)) ?? '';
  const personalCommit = findLastOfPerson(git);
  dropHeldFile(repository);
  git(['reset', '--quiet', '--keep', personalCommit ?? '@{upstream}']);
  try {
    if (personalCommit !== undefined) {
      rebase(repository);
    }
  } finally {
    restoreDecisions(repository.root, decisions.toString());
  }

  return changes;
}

/** Restores or removes the list of held changes that a run without a commit may have left: it would prevent the reset. */
function dropHeldFile({ root, git }: Repository): void {
  if (askGit(git, 'checkout', '--quiet', 'HEAD', '--', heldFile) === undefined) {
    rmSync(join(root.dir, heldFile), { force: true });
  }
}

/** Appends the decisions of people that a dropped commit of a run held: no run can repeat them. */
function restoreDecisions(root: Root, decisions: string): void {
  const path = join(root.dir, decisionsFile);
  const text = readIfThere(path)?.toString() ?? '';
  const keptLines = new Set(['', ...text.split('\n')]);
  const lostLines = decisions.split('\n').filter((line) => !keptLines.has(line));
  if (lostLines.length > 0) {
    // An editor may have left out the end of the last line.
    const lineEnd = /[^\n]$/.test(text) ? '\n' : '';
    appendFileSync(path, `${lineEnd}${lostLines.join('\n')}\n`);
  }
}

/**
 * The last unpushed commit that is not of a run, or that changes more than data: no run can repeat it. Decisions in a commit of a run
 * are restored (`restoreDecisions`).
 */
function findLastOfPerson(git: Git): string | undefined {
  const listUnpushed = (...paths: readonly string[]) => {
    const log = git(['log', '--format=%H', '--no-merges', '@{upstream}..HEAD', '--', ...paths]);
    return log.split('\n').filter(Boolean);
  };

  const commitsOfRuns = new Set(listUnpushed('data/runs'));
  // From the top of the repository: a commit may be outside the folder of the index.
  const commitsOutsideData = new Set(listUnpushed(':(top)', ':(exclude)data'));
  return listUnpushed().find(
    (commit) => !commitsOfRuns.has(commit) || commitsOutsideData.has(commit),
  );
}

/** Whether a file, named from the top of the repository, is part of this program. */
export function isOfProgram({ checkout, top }: Repository, file: string): boolean {
  const name = describePath(realpathSync(checkout), join(top, file));
  return /^(?:src\/|package(?:-lock)?\.json$)/.test(name);
}

/** Puts the unpushed commits on top of the fetched ones. Fetching again would add commits that nobody has looked at. */
export function rebase({ root, git }: Repository): void {
  try {
    git(['rebase', '--autostash', '--quiet', '@{upstream}']);
  } catch (error) {
    // The next run must not find the checkout in the middle of a rebase.
    const folder = git(['rev-parse', '--git-path', 'rebase-merge']).trim();
    if (existsSync(resolve(root.dir, folder))) {
      git(['rebase', '--abort']);
    }

    throw error;
  }
}
