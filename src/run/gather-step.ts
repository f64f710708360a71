import { toDay, type Day } from '../core/model/dates.ts';
import { dropEmpty, type NonEmpty } from '../core/model/objects.ts';
import { InputError, throwErrors, warning, type Finding } from '../core/schemas/finding.ts';
import { formatCount, formatList } from '../core/text/wording.ts';
import { explainTooLarge } from '../deliver/host/host-limits.ts';
import { askGit, openGit } from '../io/files/git.ts';
import { readLastWaits } from '../io/files/recorded-files.ts';
import { readSiteConfig } from '../io/files/settings-files.ts';
import { unwrapResult } from '../io/files/read-documents.ts';
import { isWritable, listComponents } from '../io/files/root.ts';
import { listOpenDecisions } from '../record/gate/decisions.ts';
import type { JudgedEdits } from '../record/gate/judge-edits.ts';
import { gatherAll, type Gathered } from '../record/gather/gather-all.ts';
import type { GatherResult } from '../record/gather/unite-answers.ts';
import { findClockAhead, findWrongDay } from './clock.ts';
import type { RunContext, RunReport } from './run-context.ts';
import { openUpstreams } from './upstreams.ts';

interface GatherStepInput extends Pick<RunContext, 'root' | 'day' | 'env' | 'report' | 'signal'> {
  /** The names of the components; all where absent or empty. */
  components?: readonly string[];
  /** The judged edits of people, where a later step also judges and saves the results. */
  edits?: JudgedEdits;
}

export interface GatherOutcome extends Gathered {
  day: Day;
  requests: number;
  /**
   * `incomplete`: a source did not answer. `failed`: a bug, a component that could not be read or saved, or a file with a wrong
   * name in `components/`.
   */
  end: 'done' | 'incomplete' | 'failed' | 'stopped';
}

/**
 * Asks the sources of components, and reports what they changed. Saves it unless a later step does. Throws an `InputError` if the
 * clock is wrong by the answers of hosts.
 */
export async function gather(input: GatherStepInput): Promise<GatherOutcome> {
  const { root, day, env, report, signal, edits } = input;
  const { components, config, findings } = readInputs(input);
  const { waits, accepted } = readWaits(input);
  const { http, npmRegistry } = openUpstreams(input, config);
  const committedOn = askGit(openGit(root.dir, env), 'log', '-1', '--format=%cs');

  const findWrongClock = () => {
    const { latestDate } = http.counts;
    const statedOn = latestDate === undefined ? undefined : toDay(new Date(latestDate));
    return findClockAhead(day, statedOn, committedOn);
  };

  const { results, unsaved } = await gatherAll(components, {
    http,
    npmRegistry,
    savesLater: edits !== undefined,
    root,
    day,
    catalogues: config.exploited,
    whyReject: (component, releases) => explainTooLarge(root, component, day, releases),
    waits,
    accepted,
    signal,
    findWrongClock,
    onProgress: (text) => report.progress(text),
  }).finally(() => http.close());

  const wrongClock = findWrongClock();
  if (wrongClock) {
    throw new InputError([wrongClock]);
  }

  // A file with a wrong name may define a component, which is not gathered.
  const gathered = { results, unsaved: [...findings, ...unsaved] };
  reportGathered(report, results);
  report.finding(...gathered.unsaved);

  return {
    ...gathered,
    day,
    requests: http.counts.requests,
    end: judgeEnd(input, gathered, components.length),
  };
}

/**
 * The components to gather, the configuration, and the problems of file names, which do not concern a run for named components.
 * Throws an `InputError` if `components/` has problems and no component, if the configuration cannot be read, or if the day is
 * wrong. A malformed component does not stop the others, and an unknown name is ignored.
 */
function readInputs({ root, day, components: choice = [] }: GatherStepInput) {
  const { names, findings } = listComponents(root);
  const isChosen = (name: string) => choice.length === 0 || choice.includes(name);
  const components = names.filter((name) => isWritable(root, name, 'data') && isChosen(name));
  const config = readSiteConfig(root);
  if (names.length === 0 || !config.value) {
    throwErrors([...findings, ...config.findings]);
  }

  throwErrors(findWrongDay(root, day, toDay(new Date())));

  return {
    components,
    config: unwrapResult(config),
    findings: choice.length === 0 ? findings : [],
  };
}

/** The changes that waited after the last run, and the decisions that no run has used. */
function readWaits({ root, edits }: GatherStepInput) {
  return edits
    ? { waits: edits.lastRun?.waits ?? [], accepted: edits.accepted }
    : { waits: readLastWaits(root), accepted: listOpenDecisions(root) };
}

function judgeEnd(
  { signal, report, edits }: GatherStepInput,
  { results, unsaved }: Gathered,
  total: number,
): GatherOutcome['end'] {
  if (signal.aborted) {
    const state = edits ? 'Nothing was recorded' : 'Finished components are saved';
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

/** Reports the changes, then the sources that failed. */
function reportGathered(report: RunReport, results: readonly GatherResult[]): void {
  for (const { component, changes } of results) {
    for (const group of Map.groupBy(changes, ({ kind }) => kind).values()) {
      report.print(...describeChanges(component, group));
    }
  }

  report.finding(...groupByCause(results.flatMap(({ findings }) => findings)));
}

type Change = GatherResult['changes'][number];

/** A line for each change of one kind, or one line for many of them. */
function describeChanges(component: string, changes: NonEmpty<Change>): string[] {
  if (changes.length <= maxLines) {
    return changes.map(
      ({ version, kind, detail }) =>
        `${component} ${version}: ${kind}${detail === '' ? '' : ` (${detail})`}`,
    );
  }

  const [first] = changes;
  const last = changes.at(-1)!;
  return [`${component}: ${changes.length} ${first.kind}, ${first.version} to ${last.version}`];
}

/** The most sources to name one by one when a host fails. */
const maxPerCause = 3;

/** One finding for each failure of a host with many sources. */
function groupByCause(findings: readonly Finding[]): Finding[] {
  const grouped: Finding[] = [];

  for (const group of Map.groupBy(findings, (finding) => finding.cause ?? finding).values()) {
    const [{ cause, subject, message }] = group;
    if (cause === undefined || group.length <= maxPerCause) {
      grouped.push(...group);
      continue;
    }

    const subjects = formatList(
      group.map((finding) => finding.subject),
      maxPerCause,
    );
    const components = formatCount(new Set(group.map(({ file }) => file)).size, 'component');
    const failure = `${group.length} sources of ${components} failed: ${subjects}`;
    grouped.push(warning(cause, `${failure}. For ${subject}: ${message}`));
  }

  return grouped;
}

/** The machine-readable report. */
export function describeGathering({ day, results, unsaved, requests }: GatherOutcome): object {
  return {
    verb: 'gather',
    asOf: day,
    requests,
    components: results.map(({ component, releases, changes, sources, findings }) => ({
      component,
      releases: releases.length,
      changes,
      sources: sources.map((source) => ({
        id: source.id,
        kind: source.kind,
        reason: source.kind === 'answered' ? undefined : source.reason,
      })),
      findings,
    })),
    findings: dropEmpty(unsaved),
  };
}
