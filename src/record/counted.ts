import type { z } from 'zod';
import { dayOf } from '../core/dates.ts';
import { notice, problem, warning, type Finding } from '../core/schemas/finding.ts';
import {
  askGit,
  entriesOf,
  fetchHistory,
  GitError,
  headOf,
  openGit,
  readAtCommit,
  type Git,
} from '../io/files/git.ts';
import { parseDocument } from '../io/files/documents.ts';
import { listRuns } from '../io/files/journal.ts';
import type { Root } from '../io/files/root.ts';

/** The valid files after the last run: the definitions of its commit, and the data that it wrote. */
export interface CountedFiles {
  /** The commit of the definitions. */
  readonly commit: string;
  /** Whether a file differs from its valid content. */
  isChanged(file: string): boolean;
  /** The content after the last run; undefined if there was no file. */
  read(file: string): string | undefined;
  /** The content, read by its schema. If it was unusable, the last usable content is valid. */
  find<T>(file: string, schema: z.ZodType<T>): Found<T> | undefined;
}

interface Found<T> {
  readonly commit: string;
  readonly content: string;
  readonly value: T;
}

/** How many runs to search back. */
export const mostRuns = 400;

/** The commits of runs, newest first. No other commit is known to have been judged. */
export function commitsOfRuns(git: Git): string[] {
  return git(['log', `--max-count=${mostRuns}`, '--format=%H', 'HEAD', '--', 'data/runs'])
    .split('\n')
    .filter(Boolean);
}

/**
 * Without `counted` if no run was recorded yet, or without git: there is nothing to compare with. Fetches the history, because
 * workflows check out only the last commit.
 */
export function readCounted(
  root: Root,
  env: NodeJS.ProcessEnv,
): { counted?: CountedFiles; findings: Finding[] } {
  const { runs } = listRuns(root);
  if (runs.length === 0) {
    const message =
      'no run was recorded before. Definitions and data are accepted without comparison';
    return { findings: [notice('gate', message)] };
  }
  const unknown = (why: string, level = problem) => {
    const message = `cannot compare with the last run: ${why}. Changes of components/ and data/ are accepted without comparison`;
    return { findings: [level('gate', message)] };
  };
  const made = runs
    .slice(-mostRuns)
    .flatMap(({ commit, ...run }) => (commit ? { ...run, commit } : []));
  if (made.length === 0 || headOf(root.dir, env) === undefined) {
    return unknown('the index is in no git repository', warning);
  }
  try {
    const git = openGit(root.dir, env);
    fetchHistory(git);
    // A line may name an unmerged commit.
    const isMerged = (one: string) =>
      askGit(git, 'merge-base', '--is-ancestor', '--end-of-options', one, 'HEAD') !== undefined;
    const run = made.findLast((one) => isMerged(one.commit));
    if (!run) {
      return unknown('the history lacks the commits of all recorded runs');
    }
    const { commit } = run;
    const file = `data/runs/${dayOf(run.at).slice(0, 4)}.ndjson`;
    const search = [
      'log',
      '-1',
      '--format=%H',
      `-S"id":"${run.id}"`,
      '--end-of-options',
      'HEAD',
      '--',
      file,
    ];
    // The data of an uncommitted run is only in the folder.
    const recorded = git(search).trim() || git(['rev-parse', 'HEAD']).trim();
    const changedIn = (from: string, path: string) => {
      const how = [
        'diff',
        '--name-only',
        '--relative',
        '--no-renames',
        '-z',
        '--end-of-options',
        from,
      ];
      return entriesOf(git([...how, '--', path]));
    };
    const changed = new Set([
      ...changedIn(commit, 'components'),
      ...changedIn(commit, 'site/site.json'),
      ...changedIn(recorded, 'data'),
      ...entriesOf(git(['ls-files', '--others', '-z', '--', 'components', 'data'])),
    ]);
    const lastCommit = (file: string) => (file.startsWith('data/') ? recorded : commit);
    const earlierCommits = (file: string) =>
      file.startsWith('data/')
        ? commitsOfRuns(git)
        : [...new Set(made.map((one) => one.commit))].reverse().filter(isMerged);
    const read = (file: string) => readAtCommit(root.dir, lastCommit(file), file);
    const findIn = <T>(at: string, file: string, schema: z.ZodType<T>): Found<T> | undefined => {
      const content = readAtCommit(root.dir, at, file);
      if (content === undefined) {
        return undefined;
      }
      const { value } = parseDocument(Buffer.from(content), file, schema);
      return value === undefined ? undefined : { commit: at, content, value };
    };
    const counted: CountedFiles = {
      commit,
      isChanged: (file) => changed.has(file),
      read,
      find(file, schema) {
        const found = findIn(lastCommit(file), file, schema);
        if (found || read(file) === undefined) {
          return found;
        }
        for (const earlier of earlierCommits(file)) {
          const good = findIn(earlier, file, schema);
          if (good) {
            return good;
          }
        }
        return undefined;
      },
    };
    return { counted, findings: [] };
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }
    return unknown(error.message);
  }
}
