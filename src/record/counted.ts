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

/** What counted after the last run: the definitions of the commit that it was made from, and the data that it left. */
export interface CountedFiles {
  /** The commit of the definitions. */
  readonly commit: string;
  /** Whether a file differs from what counted. */
  isChanged(file: string): boolean;
  /** The content as it counted; undefined where there was none. */
  read(file: string): string | undefined;
  /** The same by its schema. Where it could not be used then, it did not count: the last one that could be used did. */
  find<T>(file: string, schema: z.ZodType<T>): Found<T> | undefined;
}

interface Found<T> {
  readonly commit: string;
  readonly content: string;
  readonly value: T;
}

/** Older ones are no longer asked for. */
export const mostRuns = 400;

/** The commits that runs have made, newest first: no other commit is known to be judged. */
export function commitsOfRuns(git: Git): string[] {
  return git(['log', `--max-count=${mostRuns}`, '--format=%H', 'HEAD', '--', 'data/runs'])
    .split('\n')
    .filter(Boolean);
}

/**
 * Undefined where no run was recorded yet, or nothing is in git: there is nothing to compare with then. A workflow checks out
 * the last commit alone, so the history is fetched.
 */
export function readCounted(
  root: Root,
  env: NodeJS.ProcessEnv,
): { counted?: CountedFiles; findings: Finding[] } {
  const { runs } = listRuns(root);
  if (runs.length === 0) {
    const message =
      'no run was recorded before. Definitions and data are taken as they are, compared with nothing';
    return { findings: [notice('gate', message)] };
  }
  const unknown = (why: string, level = problem) => {
    const message = `cannot be compared with what counted after the last run: ${why}. Changes of components/ and data/ are taken as they are`;
    return { findings: [level('gate', message)] };
  };
  const made = runs.slice(-mostRuns).flatMap(({ commit, ...run }) => (commit ? { ...run, commit } : []));
  if (made.length === 0 || headOf(root.dir, env) === undefined)
    return unknown('the index is in no git repository', warning);
  try {
    const git = openGit(root.dir, env);
    fetchHistory(git);
    // A line may name a commit that nobody has merged.
    const isMerged = (one: string) =>
      askGit(git, 'merge-base', '--is-ancestor', '--end-of-options', one, 'HEAD') !== undefined;
    const run = made.findLast((one) => isMerged(one.commit));
    if (!run) return unknown('the history has none of the commits that runs were made from');
    const { commit } = run;
    const file = `data/runs/${dayOf(run.at).slice(0, 4)}.ndjson`;
    const search = ['log', '-1', '--format=%H', `-S"id":"${run.id}"`, '--end-of-options', 'HEAD', '--', file];
    // A run that nobody has committed left its data in the folder alone.
    const recorded = git(search).trim() || git(['rev-parse', 'HEAD']).trim();
    const changedIn = (from: string, path: string) => {
      const how = ['diff', '--name-only', '--relative', '--no-renames', '-z', '--end-of-options', from];
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
      const value =
        content === undefined ? undefined : parseDocument(Buffer.from(content), file, schema).value;
      return value === undefined ? undefined : { commit: at, content: content!, value };
    };
    const counted: CountedFiles = {
      commit,
      isChanged: (file) => changed.has(file),
      read,
      find(file, schema) {
        const found = findIn(lastCommit(file), file, schema);
        if (found || read(file) === undefined) return found;
        for (const earlier of earlierCommits(file)) {
          const good = findIn(earlier, file, schema);
          if (good) return good;
        }
        return undefined;
      },
    };
    return { counted, findings: [] };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return unknown(error.message);
  }
}
