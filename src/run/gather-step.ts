import { addDays, findLatestDay, toDay, type Day } from '../core/model/dates.ts';
import { problem, throwErrors, warning, type Finding } from '../core/schemas/finding.ts';
import type { Freshness } from '../core/schemas/recorded/freshness.ts';
import type { RecordedRelease } from '../core/schemas/recorded/recorded.ts';
import { formatCount, formatList } from '../core/text/wording.ts';
import { explainTooLarge } from '../deliver/host/host-limits.ts';
import { askGit, openGit } from '../io/files/git.ts';
import { listRuns } from '../io/files/journal-files.ts';
import { unwrapResult } from '../io/files/read-documents.ts';
import { readFreshness, readRecorded, readSiteConfig } from '../io/files/read.ts';
import { isWritable, listComponents, type Root } from '../io/files/root.ts';
import { listOpenDecisions, listUsed } from '../record/gate/last-run.ts';
import { defaultBudgets } from '../record/gather/ask-source.ts';
import { createProgress, gatherAll, type Gathered } from '../record/gather/gather-all.ts';
import type { GatherResult } from '../record/gather/gather-component.ts';
import { readDefinition } from '../record/read-definition.ts';
import { openUpstreams, type RunContext, type RunReport } from './run-context.ts';

interface GatherStepInput extends Pick<RunContext, 'root' | 'day' | 'env' | 'report' | 'signal'> {
  /** The names of the components; all where absent or empty. */
  readonly components?: readonly string[];
  /** Whether a later step judges and saves the results. */
  readonly savesLater?: boolean;
}

export interface GatherOutcome extends Gathered {
  day: Day;
  requests: number;
  /** `incomplete`: a source did not answer. `failed`: a bug, or an answer that could not be saved. */
  end: 'done' | 'incomplete' | 'failed' | 'stopped';
}

function readLastCommitDay({ root, env }: Pick<RunContext, 'root' | 'env'>): Day | undefined {
  return askGit(openGit(root.dir, env), 'log', '-1', '--format=%cs');
}

/** Gathers, saves and reports line by line. */
export async function gather(input: GatherStepInput): Promise<GatherOutcome> {
  const { root, day, report, signal, savesLater = false } = input;
  const { components, config, findings } = readInputs(input);
  const { http, npmRegistry } = openUpstreams(input, config);
  const committedOn = readLastCommitDay(input);

  const checkClock = () => {
    const { latestDate } = http.counts;
    return rejectWrongClock(
      day,
      latestDate === undefined ? undefined : toDay(new Date(latestDate)),
      committedOn,
    );
  };

  const gathered = await gatherAll(components, {
    http,
    npmRegistry,
    budgets: defaultBudgets,
    savesLater,
    root,
    day,
    catalogues: config.exploited,
    whyReject: (component, releases) => explainTooLarge(root, component, day, releases),
    accepted: listOpenDecisions(root, listUsed(listRuns(root).runs)),
    signal,
    wrongClock: checkClock,
    onFinished: createProgress(components.length, (text) => report.progress(text)),
  }).finally(() => http.close());

  const fault = checkClock();
  throwErrors(fault ? [fault] : []);

  gathered.unsaved.unshift(...findings);
  reportGathered(report, gathered.results);
  report.finding(...gathered.unsaved);

  const end = judgeEnd(input, gathered, components.length);
  return { ...gathered, day, requests: http.counts.requests, end };
}

function judgeEnd(
  { signal, report, savesLater }: GatherStepInput,
  { results, unsaved }: Gathered,
  total: number,
): GatherOutcome['end'] {
  if (signal.aborted) {
    const state = savesLater === true ? 'Nothing was recorded' : 'Finished components are saved';
    const message = `stopped after ${results.length} of ${total} components. ${state}.`;
    report.finding(warning('gather', message));
    return 'stopped';
  }

  if (unsaved.length > 0 || listBugs(results).length > 0) {
    return 'failed';
  }

  const isIncomplete = results.some(({ sources }) => sources.some(({ kind }) => kind === 'failed'));
  return isIncomplete ? 'incomplete' : 'done';
}

/** Unexpected errors: each affects one source only, but is a bug of the program. */
export function listBugs(results: readonly GatherResult[]): Finding[] {
  return results.flatMap(({ findings }) => findings.filter(({ stack }) => stack !== undefined));
}

/** The most changes of one kind to print one by one: a first run records whole histories. */
const maxLines = 20;

/** Changes first, then sources that failed. */
function reportGathered(report: RunReport, results: readonly GatherResult[]): void {
  for (const { component, changes } of results) {
    for (const [kind, group] of Map.groupBy(changes, (change) => change.kind)) {
      const versions = group.map(({ version }) => version);
      if (group.length > maxLines) {
        report.print(`${component}: ${group.length} ${kind}, ${versions[0]} to ${versions.at(-1)}`);
      } else {
        for (const { version, detail } of group) {
          report.print(`${component} ${version}: ${kind}${detail === '' ? '' : ` (${detail})`}`);
        }
      }
    }
  }

  report.finding(
    ...groupByCause(results.flatMap(({ findings, undated }) => [...findings, ...undated])),
  );
}

/** The most sources to name one by one when a host fails. */
const maxPerCause = 3;

function groupByCause(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, (finding) => finding.cause ?? finding);

  return [...groups.values()].flatMap((group) => {
    const [{ cause, message }] = group as [Finding];
    if (cause === undefined || group.length <= maxPerCause) {
      return group;
    }

    const subjects = group.map(({ subject }) => subject);
    const components = formatCount(new Set(group.map(({ file }) => file)).size, 'component');
    const failure = `${group.length} sources of ${components} failed: ${formatList(subjects, maxPerCause)}`;
    return warning(cause, `${failure}. For ${subjects[0]}: ${message}`);
  });
}

/** The machine-readable report. */
export function gatherDocument({ day, results, unsaved, requests }: GatherOutcome): object {
  return {
    verb: 'gather',
    asOf: day,
    requests,
    components: results.map(({ component, releases, changes, sources, findings, undated }) => ({
      component,
      releases: releases.length,
      changes,
      sources: sources.map((source) => ({
        id: source.id,
        kind: source.kind,
        reason: source.kind === 'answered' ? undefined : source.reason,
      })),
      findings: [...findings, ...undated],
    })),
    findings: unsaved.length > 0 ? unsaved : undefined,
  };
}

/**
 * The components to gather, and problems with file names, unless components are named. Throws an `InputError` with every problem
 * where nothing can be gathered. A malformed component does not stop the others.
 */
function readInputs({ root, day, components: choice = [] }: GatherStepInput) {
  const { names: allNames, findings } = listComponents(root);
  const names = allNames.filter((name) => isWritable(root, name, 'data'));
  const config = readSiteConfig(root);
  const components = choice.length === 0 ? names : names.filter((name) => choice.includes(name));
  if (allNames.length === 0) {
    throwErrors([...findings, ...config.findings]);
  }

  if (!config.value) {
    throwErrors([
      ...findings,
      ...config.findings,
      ...components.flatMap((name) => listProblems(root, name)),
    ]);
  }

  const recordedComponents = components.flatMap((component) =>
    readRecordedComponent(root, component),
  );
  const fault = rejectWrongDay(recordedComponents, day, toDay(new Date()));
  throwErrors(fault ? [fault] : []);

  return {
    components,
    config: unwrapResult(config),
    findings: choice.length === 0 ? findings : [],
  };
}

function listProblems(root: Root, name: string): Finding[] {
  const files = [readDefinition(root, name), readRecorded(root, name), readFreshness(root, name)];
  return files.flatMap((file) => file.findings);
}

/** Empty for a malformed file, which the run reports with the component. */
function readRecordedComponent(root: Root, component: string): RecordedComponent[] {
  const [recorded, freshness] = [
    readRecorded(root, component).value,
    readFreshness(root, component).value,
  ];
  return recorded && freshness ? [{ component, recorded, freshness }] : [];
}

/** A component with its recorded releases and freshness. */
interface RecordedComponent {
  component: string;
  recorded: readonly RecordedRelease[];
  freshness: Freshness;
}

/**
 * Rejects a run for a wrong day, because its entries would stay forever: future releases become observed, observed days too early.
 * `today`: the day of the clock, which may be wrong itself.
 */
export function rejectWrongDay(
  components: readonly RecordedComponent[],
  day: Day,
  today: Day,
): Finding | undefined {
  const consequence = 'No source was asked, nothing recorded.';
  if (day > today) {
    return problem('clock', `expected a day up to today, ${today}; got ${day}. ${consequence}`);
  }

  const recordedDays = components.flatMap(({ component, recorded, freshness }) => [
    ...recorded.map(({ firstSeen }) => ({ on: firstSeen, file: `data/${component}.json` })),
    ...Object.values(freshness.sources).map(({ answeredOn }) => ({
      on: answeredOn,
      file: `data/freshness/${component}.json`,
    })),
  ]);

  let latest = { on: day, file: '' };
  for (const { on = '', file } of recordedDays) {
    if (on > latest.on) {
      latest = { on, file };
    }
  }
  if (latest.file === '') {
    return undefined;
  }

  const message =
    `expected a day from ${latest.on} on, which is recorded in ${latest.file}; got ${day}. ${consequence} ` +
    'Correct the clock or --as-of, or that file if it was recorded with a wrong clock.';
  return problem('clock', message);
}

/**
 * A clock that is ahead would publish verdicts of future days, and prevent later runs from recording. Compares it with upstreams
 * and the last commit. `statedOn`: the day that upstreams state; without it, nothing contradicts the clock.
 */
export function rejectWrongClock(
  day: Day,
  statedOn: Day | undefined,
  committedOn: Day | undefined,
): Finding | undefined {
  if (statedOn === undefined) {
    return undefined;
  }
  if (day <= addDays(findLatestDay(statedOn, committedOn ?? ''), 1)) {
    return undefined;
  }

  const commit = committedOn === undefined ? '' : `, and the last commit is of ${committedOn}`;
  const message = `is ahead: it shows ${day}, upstreams state ${statedOn}${commit}. Nothing was recorded. Correct it, or name the day: --as-of ${statedOn}`;
  return problem('clock', message);
}
