import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Day } from '../dates.ts';
import { UsageError } from '../command-line.ts';
import {
  askSources,
  uniteAnswers,
  type GatherContext,
  type GatherInput,
  type GatherResult,
} from '../gather/component.ts';
import { configuredDefaults } from '../gather/defaults.ts';
import { cleanUp, saveGathered } from '../gather/save.ts';
import { createHttp, type Http } from '../http/client.ts';
import { ValidatorStore } from '../http/validators.ts';
import type { Definition } from '../model/definition.ts';
import type { Finding } from '../model/finding.ts';
import { nearest } from '../model/problems.ts';
import type { SiteConfig } from '../model/site-config.ts';
import { gatherTable, reportGathered } from '../report/gathered.ts';
import { defaultRegistries } from '../sources/default-registries.ts';
import { cacheFolder } from '../store/cache.ts';
import { BrokenFileError, valueOf } from '../store/documents.ts';
import { describeFileRefusal } from '../store/file-refusal.ts';
import { readDefinition, readFreshness, readRecorded, readSiteConfig } from '../store/read.ts';
import { listComponents, type Root } from '../store/root.ts';
import { refuseErrors, type Invocation } from './command.ts';

/** Components whose sources are asked at the same time; each host has its own limit besides. */
const componentsAtOnce = 48;

export async function gather(invocation: Invocation): Promise<number> {
  const gathered = await runGather(invocation);
  invocation.report.table(gatherTable(gathered.results));
  invocation.report.result(gatherDocument(gathered));
  return gathered.status;
}

export interface Gathered {
  day: Day;
  /** By name of component; only those that were finished. */
  results: GatherResult[];
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
    components: results.map(({ component, releases, changes, sources, findings }) => ({
      component,
      releases: releases.length,
      changes,
      sources,
      findings,
    })),
    ...(unsaved.length > 0 && { findings: unsaved }),
  };
}

/** Gathers, saves and reports line by line. What keeps one component from being saved costs no other its update. */
export async function runGather(invocation: Invocation): Promise<Gathered> {
  const { root, day, report, signal } = invocation;
  const { definitions, config } = readInputs(root, invocation.arguments);
  await cleanUp(root);
  const http = await openHttp(invocation, config);
  const context: GatherContext = {
    http,
    day,
    defaults: configuredDefaults,
    accept: invocation.options['accept'] === true,
  };
  const limit = pLimit(componentsAtOnce);
  const results: GatherResult[] = [];
  const unsaved: Finding[] = [];
  const runs = await Promise.allSettled(
    Array.from(definitions, ([component, definition]) =>
      limit(async () => {
        if (signal.aborted) return;
        const result = await gatherOne(root, component, definition, context);
        if (!result) return;
        if ('unsaved' in result) {
          unsaved.push(...result.unsaved);
          return;
        }
        results.push(result);
        report.progress(
          `gather ${results.length}/${definitions.size} ${component}: ${describeResult(result)}`,
        );
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
    status: statusOf(invocation, { results, unsaved }, definitions.size),
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
  definition: Definition,
  context: GatherContext,
): Promise<GatherResult | { unsaved: readonly Finding[] } | undefined> {
  try {
    const input: GatherInput = {
      component,
      definition,
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

interface Inputs {
  definitions: Map<string, Definition>;
  config: SiteConfig;
}

/** The definitions of all components, or of those named. Throws with every problem of every file before anything is asked. */
function readInputs(root: Root, wanted: readonly string[]): Inputs {
  const { names, findings } = listComponents(root);
  const config = readSiteConfig(root);
  findings.push(...config.findings);
  for (const name of wanted) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    const shown = names.slice(0, 20).join(', ') + (names.length > 20 ? ', …' : '');
    const all = names.length === 0 ? 'There are none.' : `There are ${names.length}: ${shown}.`;
    throw new UsageError(
      `unknown component "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`} ${all}`,
    );
  }
  const definitions = new Map<string, Definition>();
  for (const name of wanted.length === 0 ? names : new Set(wanted)) {
    const definition = readDefinition(root, name);
    findings.push(
      ...definition.findings,
      ...readRecorded(root, name).findings,
      ...readFreshness(root, name).findings,
    );
    if (definition.value) definitions.set(name, definition.value);
  }
  refuseErrors(findings);
  return { definitions, config: valueOf(config) };
}

async function openHttp({ root, env, report, signal }: Invocation, config: SiteConfig): Promise<Http> {
  const validators = await ValidatorStore.open(join(cacheFolder(root), 'http'), {
    onWarning: (message) => report.finding({ level: 'warning', subject: '.cache/http', message }),
  });
  const tokens = new Map<string, string>();
  const token = env['GITHUB_TOKEN'];
  if (token) tokens.set(new URL(env['GITHUB_API_URL'] ?? defaultRegistries.githubApiUrl).origin, token);
  return createHttp({
    userAgent: `release-index (+${config.repositoryUrl})`,
    signal,
    tokens,
    validators,
    env,
  });
}

function describeResult({ sources, changes, releases }: GatherResult): string {
  const failed = sources.filter((source) => source.kind === 'failed').length;
  const held = sources.filter((source) => source.kind === 'held').length;
  const parts = [`${releases.length} releases`];
  if (changes.length > 0) parts.push(`${changes.length} changes`);
  if (held > 0) parts.push(`${held} of ${sources.length} sources held`);
  if (failed > 0) parts.push(`${failed} of ${sources.length} sources failed`);
  return parts.join(', ');
}
