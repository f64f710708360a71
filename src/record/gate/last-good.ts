import type { z } from 'zod';
import { dayOf, type Day } from '../../core/model/dates.ts';
import { isError, notice, problem, type Finding } from '../../core/schemas/finding.ts';
import { HeldFile, type HeldChange } from '../../core/schemas/recorded/held.ts';
import type { Run } from '../../core/schemas/recorded/journal.ts';
import { parseDocument } from '../../io/files/read-documents.ts';
import {
  askGit,
  entriesOf,
  fetchHistory,
  GitError,
  openGit,
  readAtCommit,
  type Git,
} from '../../io/files/git.ts';
import { readStarts } from '../../io/files/held-file.ts';
import { listJournals, listRuns } from '../../io/files/journal-files.ts';
import type { Root } from '../../io/files/root.ts';

/** The state that the last run recorded and committed, or that a person starts from. */
export interface LastGood {
  /** The commit of the definitions that it judged. */
  readonly commit: string;
  /** The commit of the data that it wrote. */
  readonly recorded: string;
  /** What waited then. */
  readonly held: readonly HeldChange[];
  /** The files that differ now. */
  readonly changed: ReadonlySet<string>;
  /** The decisions that runs have used, oldest first. */
  readonly used: readonly UsedDecision[];
}

export interface UsedDecision {
  readonly id: string;
  readonly on: Day;
}

/** How many runs to search back. */
const mostRuns = 400;

/**
 * The state to compare with; an error if there has to be one and is none. Only an index that never had runs or journals has
 * nothing to compare with. Fetches the history, since workflows check out only the last commit.
 */
export function readLastGood(
  root: Root,
  env: NodeJS.ProcessEnv,
): { lastGood?: LastGood; findings: Finding[] } {
  const { runs, findings } = listRuns(root);
  if (findings.some(isError)) {
    return { findings: [...findings, incomparable('data/runs/ cannot be read')] };
  }

  try {
    const git = openGit(root.dir, env);

    if (!fetchHistory(git)) {
      const isFirst = runs.length === 0 && listJournals(root).length === 0;
      return { findings: [...findings, isFirst ? firstRun : outsideGit] };
    }

    const lastGood = findLastGood(root, git, runs);
    if (lastGood) {
      return { lastGood, findings };
    }

    const isFirst =
      git(['log', '-1', '--format=%H', 'HEAD', '--', 'data/runs', 'data/journal']) === '';

    if (isFirst) {
      return { findings: [...findings, firstRun] };
    }

    return {
      findings: [...findings, incomparable('the history lacks the commits of all recorded runs')],
    };
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }

    return { findings: [...findings, incomparable(error.message)] };
  }
}

const firstRun = notice(
  'gate',
  'no run was recorded before. Definitions and data are accepted without comparison',
);

function incomparable(
  why: string,
  remedy = 'Restore data/ and its commits from git. If the present state is right: npx release-index accept history',
): Finding {
  const message = `cannot compare with the last run: ${why}. Nothing was recorded or published. ${remedy}`;
  return problem('gate', message);
}

const outsideGit = incomparable(
  'the index has runs, but no git repository with a commit',
  'Run it in a clone. To begin a repository here with the present state: git init && git add . && git commit -m Begin && npx release-index accept history',
);

function findLastGood(root: Root, git: Git, runs: readonly Run[]): LastGood | undefined {
  const last = findRecordedRun(git, runs);
  if (last) {
    return readState(root, git, last, usedUntil(runs, last.run));
  }

  const starts = readStarts(root)
    .map(({ commit }) => commit)
    .filter((value) => value !== undefined);
  const commit = starts.findLast((start) => isMerged(git, start));

  return commit === undefined ? undefined : readState(root, git, { commit, recorded: commit }, []);
}

/** A run whose lines are committed. */
interface RecordedRun extends Pick<LastGood, 'commit' | 'recorded'> {
  readonly run: Run;
}

/** The newest of these runs that is committed and began from a merged commit. A line of `data/runs/` may name any commit. */
function findRecordedRun(git: Git, runs: readonly Run[]): RecordedRun | undefined {
  for (const run of runs.slice(-mostRuns).reverse()) {
    const { commit } = run;
    if (commit !== undefined && isMerged(git, commit)) {
      const recorded = recordingCommit(git, run);
      if (recorded !== '') {
        return { run, commit, recorded };
      }
    }
  }

  return undefined;
}

/** The commit with the line of a run; empty if there is none. */
function recordingCommit(git: Git, { id, at }: Run): string {
  const file = `data/runs/${dayOf(at).slice(0, 4)}.ndjson`;
  const search = ['log', '-1', '--format=%H', `-S"id":"${id}"`, '--end-of-options', 'HEAD'];

  return git([...search, '--', file]).trim();
}

function isMerged(git: Git, commit: string): boolean {
  const isAncestor = ['merge-base', '--is-ancestor', '--end-of-options', commit, 'HEAD'];
  return askGit(git, ...isAncestor) !== undefined;
}

function readState(
  root: Root,
  git: Git,
  { commit, recorded }: Pick<LastGood, 'commit' | 'recorded'>,
  used: readonly UsedDecision[],
): LastGood {
  const file = readAt(root, recorded, 'data/held.json', HeldFile);
  const untracked = git(['ls-files', '--others', '-z', '--', 'components', 'data']);

  const changed = new Set([
    ...changedSince(git, commit, 'components', 'site/site.json'),
    ...changedSince(git, recorded, 'data'),
    ...entriesOf(untracked),
  ]);

  return { commit, recorded, held: file?.held ?? [], changed, used };
}

/** The decisions that runs used, up to a run. */
function usedUntil(runs: readonly Run[], { id: last }: Run): UsedDecision[] {
  const place = runs.findIndex(({ id }) => id === last);
  return runs
    .slice(0, place + 1)
    .flatMap(({ at, accepted = [] }) => accepted.map((id) => ({ id, on: dayOf(at) })));
}

function changedSince(git: Git, commit: string, ...paths: readonly string[]): string[] {
  const options = ['--name-only', '--relative', '--no-renames', '-z', '--end-of-options'];
  return entriesOf(git(['diff', ...options, commit, '--', ...paths]));
}

/** A document as of a commit; undefined if it is missing or unusable. */
export function readAt<T>(
  root: Root,
  commit: string,
  file: string,
  schema: z.ZodType<T>,
): T | undefined {
  const content = readAtCommit(root.dir, commit, file);
  return content === undefined
    ? undefined
    : parseDocument(Buffer.from(content), file, schema).value;
}

export interface GoodCommits {
  readonly definition: string;
  readonly data: string;
}

/** The commits that count for a component: those of the last run, or of the run at which it has waited since. */
export function goodCommits(
  root: Root,
  env: NodeJS.ProcessEnv,
  { commit, recorded, held }: LastGood,
  name: string,
): GoodCommits {
  const waiting = held.find((one) => one.component === name && one.commit !== undefined);
  const definition = waiting?.commit ?? commit;

  // Data that could not be read was not recorded either.
  const isDataLost =
    waiting?.kind === 'files' && waiting.causes.some((file) => file.startsWith('data/'));
  if (!isDataLost) {
    return { definition, data: recorded };
  }

  const runs = listRuns(root).runs.filter((run) => run.commit === definition);
  const good = findRecordedRun(openGit(root.dir, env), runs);

  return { definition, data: good?.recorded ?? recorded };
}
