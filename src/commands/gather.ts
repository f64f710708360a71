import { join } from 'node:path';
import { loadComponent } from '../site/load-component.ts';
import type { Day } from '../dates.ts';
import { UsageError } from './command.ts';
import { counted } from '../text.ts';
import {
  askSources,
  uniteAnswers,
  type GatherContext,
  type GatherInput,
  type GatherResult,
} from '../gather/gather-component.ts';
import { configuredDefaults } from '../gather/defaults.ts';
import { isFinished } from '../gather/update-freshness.ts';
import { cleanUp, saveGathered } from '../gather/save-gathered.ts';
import { parseShard, takeShard, type Shard } from '../gather/shard.ts';
import { createTurns, upstreamOf } from '../gather/turns.ts';
import { createHttp, type Http } from '../http/client.ts';
import { ValidatorStore } from '../http/validators.ts';
import { stateOf, summarise, type ComponentState } from '../policy/component.ts';
import type { Finding } from '../model/finding.ts';
import { nearest } from '../model/problems.ts';
import type { SiteConfig } from '../model/site-config.ts';
import { timeLeft } from './time-left.ts';
import { remember, reportGathered, type GatheredComponent } from './gather-report.ts';
import type { Table } from './reporter.ts';
import { defaultRegistries } from '../sources/default-registries.ts';
import { cacheFolder } from '../store/cache.ts';
import { BrokenFileError, valueOf } from '../store/documents.ts';
import { describeFileRefusal } from '../store/file-refusal.ts';
import { readDefinition, readFreshness, readRecorded, readSiteConfig } from '../store/read.ts';
import { listComponents, type Root } from '../store/root.ts';
import { refuseErrors, type Invocation } from './command.ts';
import { summaryTable } from './summary-table.ts';

/** A log of a run of more components tells of every hundredth part. */
const toldOneByOne = 500;

export async function gather(invocation: Invocation): Promise<number> {
  const gathered = await runGather(invocation);
  const table = summaryTable(statesOf(invocation, gathered.results));
  invocation.report.table(table);
  await summariseRun(invocation, gathered, table);
  invocation.report.result(gatherDocument(gathered));
  return gathered.status;
}

/** For the page of a workflow run, where there is one. */
export async function summariseRun(
  { env }: Invocation,
  gathered: Gathered,
  components: Table,
): Promise<void> {
  if (!env['GITHUB_STEP_SUMMARY']) return;
  const { writeGatherSummary } = await import('./job-summary.ts');
  await writeGatherSummary(gathered.day, gathered.results, components);
}

/** How the components that were gathered stand now. */
function statesOf({ root, day }: Invocation, results: readonly GatheredComponent[]): ComponentState[] {
  return results.flatMap(({ component: name }) => {
    const { component } = loadComponent(root, name, day);
    return component ? [stateOf(summarise(component, []))] : [];
  });
}

export interface Gathered {
  day: Day;
  /** By name of component; only those that were finished. */
  results: GatheredComponent[];
  /** Why a component's files could not be read or written. */
  unsaved: Finding[];
  requests: number;
  status: number;
}

/** The report of a run for machines. */
export function gatherDocument({ day, results, unsaved, requests }: Gathered): object {
  return {
    verb: 'gather',
    asOf: day,
    requests,
    components: results.map(({ component, releases, changes = [], sources, findings }) => ({
      component,
      releases,
      changes,
      sources,
      findings,
    })),
    ...(unsaved.length > 0 && { findings: unsaved }),
  };
}

/** Gathers, saves and reports line by line. What keeps one component from being saved costs no other its update. */
export async function runGather(invocation: Invocation): Promise<Gathered> {
  const { root, day, report, signal, options } = invocation;
  const { upstreams, config } = readInputs(invocation);
  await cleanUp(root);
  const http = await openHttp(invocation, config);
  const context: GatherContext = {
    http,
    day,
    defaults: configuredDefaults,
    accept: invocation.options['accept'] === true,
  };
  const takeTurn = createTurns();
  const tell = createProgress(invocation, upstreams.size);
  const results: GatheredComponent[] = [];
  const unsaved: Finding[] = [];
  const runs = await Promise.allSettled(
    Array.from(upstreams, ([component, upstream]) =>
      takeTurn(upstream, async () => {
        if (signal.aborted) return;
        const result = await gatherOne(root, component, context);
        if (!result) return;
        if ('unsaved' in result) {
          unsaved.push(...result.unsaved);
          return;
        }
        results.push(remember(result, options['json'] === true));
        tell(results.length, `${component}: ${describeResult(result)}`);
      }),
    ),
  );
  await http.close();
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
  results.sort((a, b) => (a.component < b.component ? -1 : 1));
  reportGathered(report, results);
  unsaved.sort((a, b) => (a.subject < b.subject ? -1 : 1));
  for (const finding of unsaved) report.finding(finding);
  return {
    day,
    results,
    unsaved,
    requests: http.counts.requests,
    status: statusOf(invocation, { results, unsaved }, upstreams.size),
  };
}

function statusOf(
  { signal, report, options }: Invocation,
  { results, unsaved }: Pick<Gathered, 'results' | 'unsaved'>,
  wanted: number,
): number {
  if (signal.aborted) {
    const message = `stopped after ${results.length} of ${wanted} components. What was finished is kept.`;
    report.finding({ level: 'warning', subject: 'gather', message });
    return 130;
  }
  if (unsaved.length > 0) return 1;
  const isTroubled = results.some((result) => result.sources.some((source) => source.kind !== 'answered'));
  return options['strict'] === true && isTroubled ? 1 : 0;
}

/**
 * Undefined where the run was told to stop: what was finished is kept, and a source cut short has not failed. `unsaved`
 * says why the component's files could not be read or written.
 */
async function gatherOne(
  root: Root,
  component: string,
  context: GatherContext,
): Promise<GatherResult | { unsaved: readonly Finding[] } | undefined> {
  try {
    const input: GatherInput = {
      component,
      definition: valueOf(readDefinition(root, component)),
      recorded: valueOf(readRecorded(root, component)),
      freshness: valueOf(readFreshness(root, component)),
    };
    const answers = await askSources(input, context);
    if (answers.outcomes.some((outcome) => outcome.kind === 'aborted')) return undefined;
    const result = uniteAnswers(input, answers, context);
    return await saveGathered(root, input, result, (fresh) => uniteAnswers(fresh, answers, context));
  } catch (error) {
    if (error instanceof BrokenFileError) return { unsaved: error.findings };
    const refusal = describeFileRefusal(error);
    if (refusal === undefined) throw error;
    const message = `${refusal}. Not saved; what was recorded before is unchanged.`;
    return { unsaved: [{ level: 'error', subject: component, message, file: `data/${component}.json` }] };
  }
}

function createProgress({ report }: Invocation, all: number): (done: number, what: string) => void {
  const start = performance.now();
  const step = all > toldOneByOne ? Math.ceil(all / 100) : 1;
  return (done, what) => {
    if (done % step !== 0 && done !== all) return;
    const left = timeLeft(performance.now() - start, done, all);
    report.progress(`gather ${done}/${all} ${what}${left === '' ? '' : `; ${left}`}`);
  };
}

interface Inputs {
  /** What each component to be gathered is asked from. Its files are read again when it is its turn. */
  upstreams: Map<string, string>;
  config: SiteConfig;
}

/** Throws with every problem of every file of the components to be gathered, before anything is asked. */
function readInputs({ root, day, options, arguments: wanted }: Invocation): Inputs {
  const shard = shardOf(options['shard']);
  const { names, findings } = listComponents(root);
  const config = readSiteConfig(root);
  findings.push(...config.findings);
  for (const name of wanted) if (!names.includes(name)) throw unknownComponent(name, names);
  const selected = wanted.length === 0 ? names : names.filter((name) => wanted.includes(name));
  const upstreams = new Map<string, string>();
  for (const name of shard ? takeShard(selected, shard) : selected) {
    const definition = readDefinition(root, name);
    const freshness = readFreshness(root, name);
    findings.push(...definition.findings, ...readRecorded(root, name).findings, ...freshness.findings);
    if (!definition.value || !freshness.value) continue;
    if (options['resume'] === true && isFinished(definition.value, freshness.value, day)) continue;
    upstreams.set(name, upstreamOf(definition.value));
  }
  refuseErrors(findings);
  return { upstreams, config: valueOf(config) };
}

function unknownComponent(name: string, names: readonly string[]): UsageError {
  const near = nearest(name, names);
  const shown = names.slice(0, 20).join(', ') + (names.length > 20 ? ', …' : '');
  const all = names.length === 0 ? 'There are none.' : `There are ${names.length}: ${shown}.`;
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new UsageError(`unknown component "${name}".${hint} ${all}`);
}

function shardOf(option: string | boolean | undefined): Shard | undefined {
  if (typeof option !== 'string') return undefined;
  const shard = parseShard(option);
  if (shard) return shard;
  throw new UsageError(
    `--shard: expected the number of a part and how many there are, such as 2/8; got "${option}"`,
  );
}

async function openHttp({ root, env, report, signal }: Invocation, config: SiteConfig): Promise<Http> {
  const folder = join(cacheFolder(root), 'http');
  const validators = await ValidatorStore.open(folder, {
    onWarning: (message) => report.finding({ level: 'warning', subject: '.cache/http', message }),
  });
  const tokens = new Map<string, string>();
  const token = env['GITHUB_TOKEN'];
  const api = URL.parse(env['GITHUB_API_URL'] ?? defaultRegistries.githubApiUrl);
  if (token && api) tokens.set(api.origin, token);
  return createHttp({
    userAgent: `release-index (+${config.repositoryUrl})`,
    signal,
    tokens,
    validators,
    // Not in the system's folder for temporary files: on many systems that is memory.
    spillFolder: folder,
    env,
  });
}

function describeResult({ sources, changes, releases }: GatherResult): string {
  const failed = sources.filter((source) => source.kind === 'failed').length;
  const held = sources.filter((source) => source.kind === 'held').length;
  const parts = [counted(releases.length, 'release')];
  if (changes.length > 0) parts.push(counted(changes.length, 'change'));
  if (held > 0) parts.push(`${held} of ${counted(sources.length, 'source')} held`);
  if (failed > 0) parts.push(`${failed} of ${counted(sources.length, 'source')} failed`);
  return parts.join(', ');
}
