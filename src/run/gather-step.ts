import { toDay, type Day } from '../core/model/dates.ts';
import { InputError, warning, type Finding, throwErrors } from '../core/schemas/finding.ts';
import { counted, listed } from '../core/text/wording.ts';
import { whyTooLarge } from '../deliver/host/host-limits.ts';
import { askGit, openGit } from '../io/files/git.ts';
import { listRuns } from '../io/files/journal-files.ts';
import { unwrapResult } from '../io/files/read-documents.ts';
import { readFreshness, readRecorded, readSiteConfig } from '../io/files/read.ts';
import { isWritable, listComponents, type Root } from '../io/files/root.ts';
import { listUsed } from '../record/gate/last-run.ts';
import { listOpenDecisions } from '../record/gate/open-decisions.ts';
import { defaultBudgets } from '../record/gather/ask-source.ts';
import { createProgress, gatherAll } from '../record/gather/gather-all.ts';
import type { Gathered } from '../record/gather/gather-all.ts';
import type { GatherResult } from '../record/gather/gather-component.ts';
import { wrongClock, wrongDay, type RecordedComponent } from '../record/gather/wrong-day.ts';
import { readDefinition } from '../record/read-definition.ts';
import { openUpstreams } from './open-upstreams.ts';
import type { RunReport, RunContext } from './run-context.ts';

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

function lastCommitDay({ root, env }: Pick<RunContext, 'root' | 'env'>): Day | undefined {
  return askGit(openGit(root.dir, env), 'log', '-1', '--format=%cs');
}

/** Gathers, saves and reports line by line. */
export async function gather(input: GatherStepInput): Promise<GatherOutcome> {
  const { root, day, report, signal, savesLater = false } = input;
  const { components, config, findings } = readInputs(input);
  const { http, npmRegistry } = openUpstreams(input, config);
  const committedOn = lastCommitDay(input);

  const clock = () => {
    const { latestDate } = http.counts;
    return wrongClock(
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
    whyReject: (component, releases) => whyTooLarge(root, component, day, releases),
    accepted: listOpenDecisions(root, listUsed(listRuns(root).runs)),
    signal,
    wrongClock: clock,
    onFinished: createProgress(components.length, (text) => report.progress(text)),
  }).finally(() => http.close());

  const wrong = clock();
  if (wrong) {
    throw new InputError([wrong]);
  }

  gathered.unsaved.unshift(...findings);
  reportGathered(report, gathered.results);
  report.finding(...gathered.unsaved);

  const end = judgeEnd(input, gathered, components.length);
  return { ...gathered, day, requests: http.counts.requests, end };
}

function judgeEnd(
  { signal, report, savesLater }: GatherStepInput,
  { results, unsaved }: Gathered,
  wanted: number,
): GatherOutcome['end'] {
  if (signal.aborted) {
    const state = savesLater === true ? 'Nothing was recorded' : 'Finished components are saved';
    const message = `stopped after ${results.length} of ${wanted} components. ${state}.`;
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
    for (const [kind, ofKind] of Map.groupBy(changes, (change) => change.kind)) {
      const versions = ofKind.map(({ version }) => version);
      if (ofKind.length > maxLines) {
        report.print(
          `${component}: ${ofKind.length} ${kind}, ${versions[0]} to ${versions.at(-1)}`,
        );
      } else {
        for (const { version, detail } of ofKind) {
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
const maxOfCause = 3;

function groupByCause(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, (finding) => finding.cause ?? finding);

  return [...groups.values()].flatMap((group) => {
    const [{ cause, message }] = group as [Finding];
    if (cause === undefined || group.length <= maxOfCause) {
      return group;
    }

    const subjects = group.map(({ subject }) => subject);
    const components = counted(new Set(group.map(({ file }) => file)).size, 'component');
    const failed = `${group.length} sources of ${components} failed: ${listed(subjects, maxOfCause)}`;
    return warning(cause, `${failed}. For ${subjects[0]}: ${message}`);
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
function readInputs({ root, day, components: wanted = [] }: GatherStepInput) {
  const { names: all, findings } = listComponents(root);
  const names = all.filter((name) => isWritable(root, name, 'data'));
  const config = readSiteConfig(root);
  const components = wanted.length === 0 ? names : names.filter((name) => wanted.includes(name));
  if (all.length === 0) {
    throwErrors([...findings, ...config.findings]);
  }

  if (!config.value) {
    throwErrors([
      ...findings,
      ...config.findings,
      ...components.flatMap((name) => listProblems(root, name)),
    ]);
  }

  const recordedReleases = components.flatMap((component) =>
    readRecordedComponent(root, component),
  );
  const wrong = wrongDay(recordedReleases, day, toDay(new Date()));
  if (wrong) {
    throw new InputError([wrong]);
  }

  return {
    components,
    config: unwrapResult(config),
    findings: wanted.length === 0 ? findings : [],
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
