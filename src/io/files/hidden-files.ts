import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toDay } from '../../core/model/dates.ts';
import { fileProblem, inputError, throwErrors, type Finding } from '../../core/schemas/finding.ts';
import { isAbsent } from './file-system.ts';
import { askGit, splitEntries, GitError, openGit, type Git } from './git.ts';
import { listRuns } from './journal-files.ts';
import { linkProblem, listComponents, type Root } from './root.ts';

/** Throws an `InputError` if git could hide a part of the index: a run must read what the history holds. */
export function rejectHiddenFiles(root: Root, env: NodeJS.ProcessEnv): void {
  throwErrors(findHiddenFiles(root, env));
}

const onlyCommitted = 'only what the history holds is published';

/** Begins the history of an index. */
export const firstCommit = 'git init && git add --all && git commit --message "Begin the index"';

/** Throws an `InputError` if edits are not committed: the history must hold what was published. */
export function rejectUncommitted(root: Root, env: NodeJS.ProcessEnv): void {
  const git = openGit(root.dir, env);
  const parts = ['--', 'components', 'site'];
  const changedNames = hasRepository(git)
    ? askGit(git, 'diff', '--name-only', '--relative', '-z', 'HEAD', ...parts)
    : undefined;
  if (changedNames === undefined) {
    // The gate names the way back where runs have lost their repository.
    if (listRuns(root).runs.length === 0) {
      throw inputError('commit', `there is none, and ${onlyCommitted}. Run: ${firstCommit}`);
    }

    return;
  }

  const addedNames = git(['ls-files', '--others', '--exclude-standard', '-z', ...parts]);
  const files = new Set(splitEntries(`${changedNames}${addedNames}`));
  const message = `is not committed, and ${onlyCommitted}. Commit it first: git add components site && git commit. For a look before it: npx release-index plan`;
  throwErrors([...files].sort().map((file) => fileProblem(file, message)));
}

/** Throws an `InputError` at a link in an index: its target could be any file of the computer. */
export function rejectLinks(root: Root): void {
  if (!isAbsent(join(root.dir, 'components'))) {
    throwErrors(listFiles(root).findings);
  }
}

/** Links and nested repositories in the files of the index, names that git ignores, and tracked files of the cache. */
export function findHiddenFiles(root: Root, env: NodeJS.ProcessEnv): Finding[] {
  const { files, findings } = listFiles(root);
  const git = openGit(root.dir, env);
  // git fails at a link.
  if (findings.length > 0 || !hasRepository(git)) {
    return findings;
  }

  const ignoredFiles = listIgnored(git, [...new Set([...files, ...listExpectedFiles(root)])]);
  const cachedFiles = splitEntries(git(['ls-files', '-z', '--', ':(icase).cache']));

  return [
    ...ignoredFiles.map((file) =>
      fileProblem(
        file,
        `git ignores files of this name, so no commit holds them. Remove the pattern that this names: git check-ignore -v --no-index ${quoteForShell(file)}`,
      ),
    ),
    ...cachedFiles.map((file) =>
      fileProblem(file, 'is tracked, and only runs write the cache. Remove it: git rm -r .cache'),
    ),
  ];
}

/** Throws an `InputError` where git refuses to look, for instance into a folder of another owner. */
function hasRepository(git: Git): boolean {
  try {
    git(['rev-parse', '--git-dir']);
    return true;
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }

    const isMissing = (error.cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing || error.output.includes('not a git repository')) {
      return false;
    }

    throw inputError('git', error.message);
  }
}

function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

function listFiles({ dir }: Root): { files: string[]; findings: Finding[] } {
  const entries = ['components', 'data', 'site'].flatMap((folder) => [...walk(dir, folder)]);
  return {
    files: entries.filter((entry) => typeof entry === 'string'),
    findings: entries.filter((entry) => typeof entry !== 'string'),
  };
}

/** The files below a path, except hidden ones, which nothing reads; and a finding for each link and each nested repository. */
function* walk(dir: string, path: string): Generator<string | Finding> {
  const stats = lstatSync(join(dir, path), { throwIfNoEntry: false });

  if (stats?.isSymbolicLink()) {
    yield fileProblem(path, linkProblem);
  } else if (path.endsWith('/.git')) {
    const message = 'belongs to another repository. Keep the files of the index in one repository';
    yield fileProblem(path, message);
  } else if (stats?.isDirectory()) {
    for (const name of readdirSync(join(dir, path)).sort()) {
      yield* walk(dir, `${path}/${name}`);
    }
  } else if (stats && !path.includes('/.')) {
    yield path;
  }
}

/** The files that people and runs write, whether they exist or not. */
function listExpectedFiles(root: Root): string[] {
  const { names } = listComponents(root);
  const year = toDay(new Date()).slice(0, 4);

  return [
    'site/site.json',
    'data/held.json',
    'data/decisions.ndjson',
    `data/runs/${year}.ndjson`,
    ...['new-component', ...names].flatMap((name) => [
      `components/${name}.json`,
      `data/${name}.json`,
      `data/freshness/${name}.json`,
      `data/journal/${name}.ndjson`,
      `data/statements/${name}.ndjson`,
    ]),
  ];
}

function listIgnored(git: Git, files: readonly string[]): string[] {
  try {
    // Also files that were tracked before the pattern: the next one of that name would not be.
    const args = ['check-ignore', '--no-index', '-z', '--stdin'];
    return splitEntries(git(args, files.map((file) => `${file}\0`).join('')));
  } catch (error) {
    // git fails with 1 where it ignores none.
    if (error instanceof GitError && (error.cause as { status?: number }).status === 1) {
      return [];
    }

    throw inputError('git', (error as Error).message);
  }
}
