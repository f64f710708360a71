import type { z } from 'zod';
import { dayOf } from '../core/dates.ts';
import { notice, warning, type Finding } from '../core/schemas/finding.ts';
import { entriesOf, fetchHistory, GitError, headOf, openGit, readAtCommit } from '../io/files/git.ts';
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
  /** The same by its schema; undefined where it cannot be used. */
  parse<T>(file: string, schema: z.ZodType<T>): T | undefined;
}

/**
 * Undefined where no run was recorded yet, or nothing is in git: there is nothing to compare with then. A workflow checks out
 * the last commit alone, so the history is fetched.
 */
export function readCounted(
  root: Root,
  env: NodeJS.ProcessEnv,
): { counted?: CountedFiles; findings: Finding[] } {
  const run = listRuns(root).runs.findLast((one) => one.commit !== undefined);
  if (!run && listRuns(root).runs.length === 0) {
    const message =
      'no run was recorded before. Definitions and data are taken as they are, compared with nothing';
    return { findings: [notice('gate', message)] };
  }
  const unknown = (why: string) => {
    const message = `cannot be compared with what counted after the last run: ${why}. Changes of components/ and data/ are taken as they are`;
    return { findings: [warning('gate', message)] };
  };
  if (run?.commit === undefined || headOf(root.dir, env) === undefined)
    return unknown('the index is in no git repository');
  const { commit, at } = run;
  try {
    const git = openGit(root.dir, env);
    fetchHistory(git);
    const runs = `data/runs/${dayOf(at).slice(0, 4)}.ndjson`;
    const search = ['log', '-1', '--format=%H', `-S"id":"${run.id}"`, '--end-of-options', 'HEAD', '--', runs];
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
    const read = (file: string) => readAtCommit(root.dir, file.startsWith('data/') ? recorded : commit, file);
    const counted: CountedFiles = {
      commit,
      isChanged: (file) => changed.has(file),
      read,
      parse(file, schema) {
        const content = read(file);
        return content === undefined ? undefined : parseDocument(Buffer.from(content), file, schema).value;
      },
    };
    return { counted, findings: [] };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return unknown(error.message);
  }
}
