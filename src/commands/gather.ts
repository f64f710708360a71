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
import { saveGathered } from '../gather/save.ts';
import { createHttp, type Http } from '../http/client.ts';
import { ValidatorStore } from '../http/validators.ts';
import type { Definition } from '../model/definition.ts';
import { nearest } from '../model/problems.ts';
import type { SiteConfig } from '../model/site-config.ts';
import { gatherTable, reportGathered } from '../report/gathered.ts';
import { defaultRegistries } from '../sources/default-registries.ts';
import { cacheFolder } from '../store/cache.ts';
import { readDefinition, readFreshness, readRecorded, readSiteConfig } from '../store/read.ts';
import { listComponents, type Root } from '../store/root.ts';
import { InputError, refuseErrors, type Invocation } from './command.ts';

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
  requests: number;
  status: number;
}

/** The report of a run for machines. */
export function gatherDocument({ day, results, requests }: Gathered): object {
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
  };
}

/** Gathers, saves and reports line by line. */
export async function runGather(invocation: Invocation): Promise<Gathered> {
  const { root, day, report, signal } = invocation;
  const definitions = readDefinitions(root, invocation.arguments);
  const config = readSiteConfig(root);
  refuseErrors(config.findings);
  const http = await openHttp(invocation, config.value!);
  const context: GatherContext = {
    http,
    day,
    defaults: configuredDefaults,
    accept: invocation.options['accept'] === true,
  };
  const limit = pLimit(componentsAtOnce);
  const results: GatherResult[] = [];
  try {
    await Promise.all(
      Array.from(definitions, ([component, definition]) =>
        limit(async () => {
          if (signal.aborted) return;
          const result = await gatherOne(root, component, definition, context);
          if (!result) return;
          results.push(result);
          report.progress(
            `gather ${results.length}/${definitions.size} ${component}: ${describeResult(result)}`,
          );
        }),
      ),
    );
  } finally {
    await http.close();
  }
  results.sort((a, b) => (a.component < b.component ? -1 : 1));
  reportGathered(report, results);
  return {
    day,
    results,
    requests: http.counts.requests,
    status: statusOf(invocation, results, definitions.size),
  };
}

function statusOf(
  { signal, report, options }: Invocation,
  results: readonly GatherResult[],
  wanted: number,
): number {
  if (signal.aborted) {
    const message = `stopped after ${results.length} of ${wanted} components. What was finished is kept.`;
    report.finding({ level: 'warning', subject: 'gather', message });
    return 130;
  }
  const isTroubled = results.some((result) => result.sources.some((source) => source.kind !== 'answered'));
  return options['strict'] === true && isTroubled ? 1 : 0;
}

/** Undefined where the run was told to stop: what was finished is kept, and a source cut short has not failed. */
async function gatherOne(
  root: Root,
  component: string,
  definition: Definition,
  context: GatherContext,
): Promise<GatherResult | undefined> {
  const input: GatherInput = {
    component,
    definition,
    recorded: readRecorded(root, component).value ?? [],
    freshness: readFreshness(root, component).value ?? { sources: {} },
  };
  const answers = await askSources(input, context);
  if (answers.outcomes.some((outcome) => outcome.kind === 'aborted')) return undefined;
  const result = uniteAnswers(input, answers, context);
  return saveGathered(root, input, result, (fresh) => uniteAnswers(fresh, answers, context));
}

/** The definitions of all components, or of those named. Throws with every problem of every file before anything is asked. */
function readDefinitions(root: Root, wanted: readonly string[]): Map<string, Definition> {
  const { names, findings } = listComponents(root);
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
  if (findings.some((finding) => finding.level === 'error')) throw new InputError(findings);
  return definitions;
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
