import { InputError, isError, notice, problem, type Finding } from '../../core/schemas/finding.ts';
import type { Run } from '../../core/schemas/recorded/runs.ts';
import {
  askGit,
  fetchHistory,
  GitError,
  listDifferences,
  openGit,
  splitEntries,
  type Git,
} from '../../io/files/git.ts';
import { readStarts, listJournals, listRuns } from '../../io/files/recorded-files.ts';
import { runsFile, type Root } from '../../io/files/root.ts';
import type { WaitingChange } from './rules/waiting-change.ts';
import { listOpenDecisions, listUsedDecisions, type UsedDecision } from './decisions.ts';

/** The kind of a finding that ends when a person restores the history or accepts the present state as its start. */
export const cutHistory = 'cut history';

/** Advice for an index with runs outside of git. */
export const beginHistoryAdvice =
  'To begin a repository here with the present state: git init && git add . && git commit -m Begin && npx release-index accept history';

const firstRun = notice(
  'gate',
  'no commit holds an earlier run. Definitions and data are accepted without comparison',
);

/** The state that the last run recorded and committed, or that a person starts from. */
export interface LastRun {
  /** The commit of the definitions that it judged. */
  commit: string;
  /** The commit of the data that it wrote. */
  dataCommit: string;
  /** The instant of the run, or of the decision to start there. */
  at: string;
  waits: readonly WaitingChange[];
  /** The files that differ now. */
  changed: ReadonlySet<string>;
  /** The decisions that runs have used, oldest first. */
  used: readonly UsedDecision[];
  /** The ids of decisions that no run has used. */
  accepted: ReadonlySet<string>;
}

/**
 * The state to compare with. Without one, the findings have an error, or a notice if no run was committed yet. Fetches the history,
 * since workflows check out only the last commit.
 */
export function readLastRun(
  root: Root,
  env: NodeJS.ProcessEnv,
): { lastRun?: LastRun; findings: Finding[] } {
  const { runs, findings } = listRuns(root);
  if (findings.some(isError)) {
    findings.push(createCutHistory('data/runs/ cannot be read'));
    return { findings };
  }

  try {
    const git = openGit(root.dir, env);
    const hasCommit = fetchHistory(git);
    const lastRun = hasCommit ? findLastRun(root, git, runs) : undefined;
    if (lastRun) {
      return { lastRun, findings };
    }

    findings.push(hasCommit ? explainUncommitted(git) : explainNoCommit(root, runs));
  } catch (error) {
    if (error instanceof InputError) {
      return { findings: [...findings, ...error.findings] };
    }
    if (!(error instanceof GitError)) {
      throw error;
    }

    findings.push(reportFailure(error.message, 'The next run tries again'));
  }

  return { findings };
}

/** Why no run is committed in a repository. */
function explainUncommitted(git: Git): Finding {
  const lastCommit = git(['log', '-1', '--format=%H', 'HEAD', '--', 'data/runs', 'data/journal']);
  return lastCommit === ''
    ? firstRun
    : createCutHistory('the history lacks the commits of all recorded runs');
}

/** Why no run is committed where there is no commit. */
function explainNoCommit(root: Root, runs: readonly Run[]): Finding {
  return runs.length === 0 && listJournals(root).length === 0
    ? firstRun
    : createCutHistory(
        'the index has runs, but no git repository with a commit',
        `Run it in a clone. ${beginHistoryAdvice}`,
      );
}

function createCutHistory(
  why: string,
  remedy = 'Restore data/ and its commits from git. If the present state is right: npx release-index accept history',
): Finding {
  return { ...reportFailure(why, remedy), kind: cutHistory };
}

function reportFailure(why: string, remedy: string): Finding {
  const message = `cannot compare with the last run: ${why}. Nothing was recorded or published. ${remedy}`;
  return problem('gate', message);
}

/** The newest run whose line is committed, or else the last commit that a person accepted as a start. */
function findLastRun(root: Root, git: Git, runs: readonly Run[]): LastRun | undefined {
  for (const [index, run] of [...runs.entries()].reverse()) {
    const { commit, at } = run;
    if (!isMerged(git, commit)) {
      continue;
    }

    const dataCommit = findRecordingCommit(git, run);
    if (dataCommit !== undefined) {
      const committedRuns = runs.slice(0, index + 1);
      const start = { commit, dataCommit, at, waits: readWaits(committedRuns) };
      return createLastRun(root, git, start, committedRuns);
    }
  }

  for (const { commit, at } of readStarts(root).reverse()) {
    if (isMerged(git, commit)) {
      // Accepting a commit also accepts what waited in it, so nothing waits now. Decisions used before it cannot be used again.
      const start = { commit, dataCommit: commit, at, waits: [] };
      const earlierRuns = runs.filter((run) => run.at <= at);
      return createLastRun(root, git, start, earlierRuns);
    }
  }

  return undefined;
}

/** `runs`: those before the start, oldest first. */
function createLastRun(
  root: Root,
  git: Git,
  start: Pick<LastRun, 'commit' | 'dataCommit' | 'at' | 'waits'>,
  runs: readonly Run[],
): LastRun {
  const used = listUsedDecisions(runs);
  return {
    ...start,
    changed: listChanged(git, start),
    used,
    accepted: listOpenDecisions(root, used),
  };
}

/** The changes that waited after the last of these runs. Only the first run with a wait records its items. */
function readWaits(runs: readonly Run[]): WaitingChange[] {
  const items = new Map<string, string[]>();
  for (const wait of runs.flatMap(({ waits = [] }) => waits)) {
    if (wait.items) {
      items.set(wait.id, wait.items);
    }
  }

  const { waits = [] } = runs.at(-1) ?? {};
  return waits.map((wait) => ({ ...wait, items: items.get(wait.id) ?? [wait.reason] }));
}

/** The oldest commit with the line of a run: a run writes its line once, so no run made a later commit that removes and adds it again. */
function findRecordingCommit(git: Git, { id, asOf }: Run): string | undefined {
  const file = runsFile(asOf.slice(0, 4));
  const search = ['log', '--format=%H', `-S"id":"${id}"`, '--end-of-options', 'HEAD', '--', file];
  return git(search).trim().split('\n').at(-1) || undefined;
}

function isMerged(git: Git, commit: string | undefined): commit is string {
  const isAncestor = ['merge-base', '--is-ancestor', '--end-of-options'];
  return commit !== undefined && askGit(git, ...isAncestor, commit, 'HEAD') !== undefined;
}

/** The definitions, site.json and files of data that differ from the last run, committed or not. */
function listChanged(
  git: Git,
  { commit, dataCommit }: Pick<LastRun, 'commit' | 'dataCommit'>,
): Set<string> {
  const options = ['--relative', '--no-renames', '--end-of-options'];
  const untracked = git(['ls-files', '--others', '-z', '--', 'components', 'data']);
  return new Set([
    ...listDifferences(git, ...options, commit, '--', 'components', 'site/site.json'),
    ...listDifferences(git, ...options, dataCommit, '--', 'data'),
    ...splitEntries(untracked),
  ]);
}
