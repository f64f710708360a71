import { toDay, type Day } from '../../core/dates.ts';
import { defaultBudgets } from '../../record/gather/budgets.ts';
import { gatherAll, type Gathered } from '../../record/gather/gather-all.ts';
import type { GatherResult } from '../../record/gather/gather-component.ts';
import { createProgress } from '../../record/gather/progress.ts';
import { wrongDay, type RecordedComponent } from '../../record/gather/wrong-day.ts';
import { parseShard, takeShard, type Shard } from '../../record/gather/shard.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { didYouMean } from '../../core/schemas/problems.ts';
import type { SiteConfig } from '../../core/schemas/site-config.ts';
import { stateOf, summarise, type ComponentState } from '../../decide/component.ts';
import { loadComponent } from '../../site/load-component.ts';
import { valueOf } from '../../io/files/documents.ts';
import { readFreshness, readRecorded, readSiteConfig } from '../../io/files/read.ts';
import { readDefinition } from '../../record/definition.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { listed } from '../../core/text.ts';
import {
  InputError,
  refuseErrors,
  stoppedStatus,
  UsageError,
  type Invocation,
  type Options,
} from './command.ts';
import { reportGathered } from './gather-report.ts';
import type { Table } from './report.ts';
import { summaryTable } from './summary-table.ts';
import { openUpstreams } from './upstreams.ts';

/** A run that has ended. */
export interface GatherOutcome extends Gathered {
  day: Day;
  requests: number;
  status: number;
}

export async function gather(invocation: Invocation): Promise<number> {
  const outcome = await runGather(invocation);
  const table = summaryTable(statesOf(invocation, outcome.results));
  invocation.report.table(table);
  await summariseRun(invocation, outcome, table);
  invocation.report.result(gatherDocument(outcome));
  return outcome.status;
}

/** Gathers, saves and reports line by line. */
export async function runGather(invocation: Invocation): Promise<GatherOutcome> {
  const { root, day, report, signal, options } = invocation;
  const { components, config, findings } = readInputs(invocation);
  if (components.length === 0 && options['accept'] === true) report.line('gather: nothing is held.');
  const { http, npmRegistry } = openUpstreams(invocation, config);
  const gathered = await gatherAll(components, {
    root,
    http,
    day,
    npmRegistry,
    accept: options['accept'] === true,
    budgets: defaultBudgets,
    recordsFreshness: options['record-freshness'] === true,
    signal,
    onFinished: createProgress(components.length, (text) => report.progress(text)),
  }).finally(() => http.close());
  gathered.unsaved.unshift(...findings);
  reportGathered(report, gathered.results);
  for (const finding of gathered.unsaved) report.finding(finding);
  const status = statusOf(invocation, gathered, components.length);
  return { ...gathered, day, requests: http.counts.requests, status };
}

function statusOf(
  { signal, report, options }: Invocation,
  { results, unsaved }: Gathered,
  wanted: number,
): number {
  if (signal.aborted) {
    const message = `stopped after ${results.length} of ${wanted} components. What was finished is kept.`;
    report.finding({ level: 'warning', subject: 'gather', message });
    return stoppedStatus(signal);
  }
  if (unsaved.length > 0 || bugsOf(results).length > 0) return 1;
  const isTroubled = results.some((result) => result.sources.some((source) => source.kind !== 'answered'));
  return options['strict'] === true && isTroubled ? 1 : 0;
}

/** What nobody foresaw: it failed one source only, but the program has to be mended. */
export function bugsOf(results: readonly GatherResult[]): Finding[] {
  return results.flatMap(({ findings }) => findings.filter(({ stack }) => stack !== undefined));
}

/** Fills the page of a workflow run, where there is one. */
export async function summariseRun(
  { env }: Invocation,
  { day, results }: GatherOutcome,
  components: Table,
): Promise<void> {
  if (!env['GITHUB_STEP_SUMMARY']) return;
  const { writeGatherSummary } = await import('./job-summary.ts');
  await writeGatherSummary(day, results, components);
}

/** The report of a run for machines. */
export function gatherDocument({ day, results, unsaved, requests }: GatherOutcome): object {
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
        ...(source.kind !== 'answered' && { reason: source.reason }),
      })),
      findings,
    })),
    ...(unsaved.length > 0 && { findings: unsaved }),
  };
}

/** The present state of the components that were gathered. */
function statesOf({ root, day }: Invocation, results: readonly GatherResult[]): ComponentState[] {
  return results.flatMap(({ component: name }) => {
    const { component } = loadComponent(root, name, day);
    return component ? [stateOf(summarise(component))] : [];
  });
}

interface GatherInputs {
  components: string[];
  config: SiteConfig;
  /** What is wrong with the names of other files; where components are named, others do not matter. */
  findings: Finding[];
}

/** Throws with every problem of every file where nothing can be asked. A component that cannot be read costs no other its update. */
function readInputs({ root, day, options, arguments: wanted }: Invocation): GatherInputs {
  const shard = shardOf(options['shard']);
  const { names, findings } = listComponents(root);
  const config = readSiteConfig(root);
  for (const name of wanted) if (!names.includes(name)) throw unknownComponent(name, names);
  const selected = wanted.length === 0 ? names : names.filter((name) => wanted.includes(name));
  const components = shard ? takeShard(selected, shard) : selected;
  if (names.length === 0) refuseErrors([...findings, ...config.findings]);
  if (!config.value)
    refuseErrors([...findings, ...config.findings, ...components.flatMap((name) => problemsOf(root, name))]);
  const known = components.flatMap((component) => knownOf(root, component));
  const wrong = wrongDay(known, day, toDay(new Date()));
  if (wrong) throw new InputError([wrong]);
  const isAccepting = options['accept'] === true && wanted.length === 0;
  const isHeld = ({ freshness }: RecordedComponent) =>
    Object.values(freshness.sources).some(({ held }) => held !== undefined);
  return {
    components: isAccepting ? known.filter(isHeld).map(({ component }) => component) : components,
    config: valueOf(config),
    findings: wanted.length === 0 ? findings : [],
  };
}

function problemsOf(root: Root, name: string): Finding[] {
  const files = [readDefinition(root, name), readRecorded(root, name), readFreshness(root, name)];
  return files.flatMap((file) => file.findings);
}

/** Nothing where a file cannot be read; the run says why when it comes to the component. */
function knownOf(root: Root, component: string): RecordedComponent[] {
  const [recorded, freshness] = [readRecorded(root, component).value, readFreshness(root, component).value];
  return recorded && freshness ? [{ component, recorded, freshness }] : [];
}

function unknownComponent(name: string, names: readonly string[]): UsageError {
  const all = names.length === 0 ? 'There are none.' : `There are ${names.length}: ${listed(names, 20)}.`;
  return new UsageError(`unknown component "${name}".${didYouMean(name, names)} ${all}`);
}

function shardOf(option: Options[string]): Shard | undefined {
  if (typeof option !== 'string') return undefined;
  const shard = parseShard(option);
  if (shard) return shard;
  throw new UsageError(
    `--shard: expected the number of a part and how many there are, such as 2/8; got "${option}"`,
  );
}
