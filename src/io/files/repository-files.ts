/** Checks of the files of an index: git must hold all of them, and none may lead out of the index. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileProblem, inputError, throwErrors, type Finding } from '../../core/schemas/finding.ts';
import { quoteForShell } from '../../core/text/foreign-text.ts';
import { isAbsent } from './file-system.ts';
import { GitError, listUncommitted, openGit, readHead, splitEntries, type Git } from './git.ts';
import { listRuns } from './recorded-files.ts';
import {
  decisionsFile,
  heldFile,
  linkProblem,
  listComponentFiles,
  listComponents,
  runsFile,
  type Root,
} from './root.ts';

/**
 * Throws an `InputError` at links, nested repositories, names that git ignores, and tracked files of the cache: git would hide a part
 * of the index, and a run must read what the history holds.
 */
export function rejectRepositoryProblems(root: Root, env: NodeJS.ProcessEnv): void {
  const listed = listFiles(root);
  // git fails at a link.
  throwErrors(listed.findings);
  const git = openGit(root.dir, env);
  if (!hasRepository(git)) {
    return;
  }

  const findings: Finding[] = [];
  for (const file of listIgnored(git, new Set([...listed.files, ...listExpectedFiles(root)]))) {
    const message = `git ignores files of this name, so no commit holds them. Remove the pattern that this names: git check-ignore -v --no-index ${quoteForShell(file)}`;
    findings.push(fileProblem(file, message));
  }

  for (const file of splitEntries(git(['ls-files', '-z', '--', ':(icase).cache']))) {
    // Without --force, git keeps files that a run has changed.
    const remedy = `Remove it: git rm -r --force ${findTopFolder(file)}`;
    findings.push(fileProblem(file, `is tracked, and only runs write the cache. ${remedy}`));
  }

  throwErrors(findings);
}

/** The first folder of a path, in the spelling of the path. */
function findTopFolder(file: string): string {
  return file.replace(/\/.*/s, '');
}

const onlyCommitted = 'only what the history holds is published';

/** The command that begins the history of an index. */
export const firstCommit = 'git init && git add --all && git commit --message "Begin the index"';

/** Throws an `InputError` if edits of `components/` or `site/` are not committed: the history must hold what was published. */
export function rejectUncommitted(root: Root, env: NodeJS.ProcessEnv): void {
  const git = openGit(root.dir, env);
  if (!hasRepository(git) || readHead(root.dir, env) === undefined) {
    // If runs have lost their repository, the gate says how to restore it.
    if (listRuns(root).runs.length === 0) {
      throw inputError('commit', `there is none, and ${onlyCommitted}. Run: ${firstCommit}`);
    }

    return;
  }

  const files = listUncommitted(git, 'components', 'site');
  // git adds nothing if one of the folders does not exist.
  const folders = [...new Set(files.map(findTopFolder))].join(' ');
  const message = `is not committed, and ${onlyCommitted}. Commit it first: git add ${folders} && git commit. For a look before it: npx release-index plan`;
  throwErrors(files.map((file) => fileProblem(file, message)));
}

/**
 * Throws an `InputError` at a link in an index, whose target could be any file of the computer, and at another repository. A folder
 * without components is no index.
 */
export function rejectLinks(root: Root): void {
  if (!isAbsent(join(root.dir, 'components'))) {
    throwErrors(listFiles(root).findings);
  }
}

/** False also without git. Throws an `InputError` if git rejects the folder, for instance because it has another owner. */
function hasRepository(git: Git): boolean {
  const isNone = ({ cause, output }: GitError) =>
    cause?.code === 'ENOENT' || output.includes('not a git repository');
  return askUnless(isNone, () => git(['rev-parse', '--git-dir'])) !== undefined;
}

/** The files of an index except hidden ones, which nothing reads. A link or another repository is a problem. */
function listFiles({ dir }: Root): { files: string[]; findings: Finding[] } {
  const files: string[] = [];
  const findings: Finding[] = [];

  const visit = (path: string) => {
    const stats = lstatSync(join(dir, path), { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) {
      findings.push(fileProblem(path, linkProblem));
    } else if (path.endsWith('/.git')) {
      const problem =
        'belongs to another repository. Keep the files of the index in one repository';
      findings.push(fileProblem(path, problem));
    } else if (stats?.isDirectory()) {
      for (const name of readdirSync(join(dir, path)).sort()) {
        visit(`${path}/${name}`);
      }
    } else if (stats && !path.includes('/.')) {
      files.push(path);
    }
  };

  for (const folder of ['components', 'data', 'site']) {
    visit(folder);
  }
  return { files, findings };
}

/** The files that people and runs write, whether they exist or not, also those of a next component. */
function listExpectedFiles(root: Root): string[] {
  const year = String(new Date().getUTCFullYear());
  const names = ['new-component', ...listComponents(root).names];
  return [
    ...['site/site.json', heldFile, decisionsFile, runsFile(year)],
    ...names.flatMap(listComponentFiles),
  ];
}

/** The names that git ignores, also of tracked files: the next file of that name would not be tracked. */
function listIgnored(git: Git, files: ReadonlySet<string>): string[] {
  const ask = () =>
    git(['check-ignore', '--no-index', '-z', '--stdin'], `${[...files].join('\0')}\0`);
  // git exits with 1 if it ignores none of them.
  return splitEntries(askUnless(({ cause }) => cause?.status === 1, ask) ?? '');
}

/** The output of a git command; undefined after an expected failure. Throws an `InputError` for any other failure of git. */
function askUnless(isExpected: (failure: GitError) => boolean, ask: () => string) {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }
    if (isExpected(error)) {
      return undefined;
    }

    throw inputError('git', error.message);
  }
}
