import { budgets as defaultBudgets } from '../../src/record/gather/source-session.ts';
import { askSources, keepDocuments } from '../../src/record/gather/ask-sources.ts';
import { uniteAnswers, type GatherResult } from '../../src/record/gather/unite-answers.ts';
import { createHttp, type Fetcher, type Http } from '../../src/io/http/client.ts';
import type { HttpOptions } from '../../src/io/http/http-run.ts';
import { FullDefinition } from '../../src/record/read-definition.ts';
import type { Freshness } from '../../src/core/schemas/recorded/freshness.ts';
import type { Day } from '../../src/core/model/dates.ts';
import type { RecordedLine, RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { createSourceId } from '../../src/core/schemas/definition/source-ids.ts';
import type { TypedSource } from '../../src/record/sources/index.ts';
import type { Listed, ImitatedUpstream } from './imitated-upstream.ts';
import { definition as definitionOf } from './root.ts';
import { serve, startUpstream, type Documents, type Handler } from './upstream.ts';

export const today = '2026-06-30';

/** The recorded releases before a run. The upstream lists them, too. */
export const known: readonly Listed[] = [
  { version: '1.8', at: '2024-01-10T09:30:00Z' },
  { version: '1.9', at: '2024-04-02T12:00:00Z' },
  { version: '1.10', at: '2024-08-19T00:00:00Z' },
  { version: '1.10.1', at: '2024-09-10T08:15:30Z' },
  { version: '2.0', at: '2025-04-08T00:00:00Z' },
  { version: '2.1', at: '2025-09-16T00:00:00Z' },
];

export const news: Listed = { version: '2.2', at: '2026-03-25T10:00:00Z' };

export interface Behaviour {
  /** What the upstream lists; `known` and `news` unless told. */
  releases?: readonly Listed[];
  pageSize?: number;
  packageName?: string;
  /** How it answers; soundly unless told. */
  handler?(documents: Documents, url: string): Handler;
  /** Where the definition looks for it, if not where it is. */
  url?: string;
  recorded?: RecordedRelease[] | ((source: TypedSource) => RecordedRelease[]);
  freshness?: Freshness;
  http?: Partial<HttpOptions>;
  budgets?: Partial<typeof defaultBudgets>;
}

export type Outcome = Awaited<ReturnType<typeof run>>;

/** Gathers `svc` from one source that behaves as told. */
export async function run(imitation: ImitatedUpstream, behaviour: Behaviour = {}) {
  const releases = behaviour.releases ?? [...known, news];
  const { handler = serve, pageSize = 100, packageName } = behaviour;
  const upstream = await startUpstream((url) =>
    handler(imitation.documents?.(releases, { url, pageSize, packageName }) ?? new Map(), url),
  );
  const http = testHttp(behaviour.http);
  try {
    const source = imitation.source(behaviour.url ?? upstream.url, releases);
    const { recorded = recordedOf(source, known, imitation) } = behaviour;
    const before = typeof recorded === 'function' ? recorded(source) : recorded;
    const { freshness, budgets } = behaviour;
    const result = await gather(
      { component: 'svc', definition: { sources: [source] }, releases: before, freshness, budgets },
      standIn(http, imitation, behaviour.url ?? upstream.url),
    );
    const messages = result.findings.map(({ subject, message }) => `${subject}: ${message}`);
    return {
      ...result,
      /** The findings as a person reads them. */
      messages,
      /** The recorded data before the run. */
      before,
      /** The new release as it is to be recorded; first seen today. */
      added: {
        ...recordedOf(source, [news], imitation)[0]!,
        ...(imitation.statesNoDay && { releaseTimestamp: today, timestampKind: 'observed' }),
      },
      requests: upstream.requests,
    };
  } finally {
    await http.close();
    await upstream.close();
  }
}

/** A client that does not wait between attempts. */
export function testHttp(options: Partial<HttpOptions> = {}): Http {
  return createHttp({
    repositoryUrl: 'https://test.example',
    clock: { sleep: () => Promise.resolve() },
    ...options,
    limits: {
      connectMs: 10_000,
      headersMs: 10_000,
      idleMs: 10_000,
      totalMs: 20_000,
      ...options.limits,
    },
  });
}

/** The client, which asks the upstream of a test where it would ask a public registry. */
function standIn(
  http: Http,
  { standsFor }: Pick<ImitatedUpstream, 'standsFor'>,
  url: string,
): Http {
  return standsFor === undefined ? http : rerouted(http, { [standsFor]: url });
}

/** Asks below other addresses than those that begin as a key of `routes`. */
export function rerouted(http: Http, routes: Readonly<Record<string, string>>): Http {
  const reroute =
    ({ fetch }: Fetcher): Fetcher['fetch'] =>
    (request) => {
      const from = Object.keys(routes).find((start) => request.url.startsWith(start));
      if (from === undefined) {
        return fetch(request);
      }
      return fetch({ ...request, url: routes[from]! + request.url.slice(from.length) });
    };
  return {
    ...http,
    fetch: reroute(http),
    openSession() {
      const session = http.openSession();
      return { ...session, fetch: reroute(session) };
    },
  };
}

export function recordedOf(
  source: TypedSource,
  releases: readonly Listed[] = known,
  { digests }: Pick<ImitatedUpstream, 'digests'> = {},
): RecordedRelease[] {
  return releases.map((release) => ({
    version: release.version,
    releaseTimestamp: release.at!,
    timestampKind: 'published',
    source: createSourceId(source),
    firstSeen: '2025-10-01',
    ...(digests && { digests: { [createSourceId(source)]: digests(release) } }),
  }));
}

/** A component before a run. Its definition supplies the rest. */
export interface Gathered {
  component: string;
  definition: Readonly<Record<string, unknown>>;
  releases?: RecordedRelease[];
  lines?: RecordedLine[];
  freshness?: Freshness | undefined;
  day?: Day;
  budgets?: Partial<typeof defaultBudgets> | undefined;
  /** The npm registry for sources that name none. */
  npmRegistry?: (packageName: string) => string;
}

/** One run over a component. No test gives a source what nobody could write: the definition goes through its schema. */
export async function gather(
  {
    definition: about,
    releases = [],
    freshness = { sources: {} },
    day = today,
    budgets: given,
    npmRegistry = () => 'http://127.0.0.1:9/',
    ...more
  }: Gathered,
  http: Http,
): Promise<GatherResult> {
  const definition = FullDefinition.parse(definitionOf(about));
  const input = { ...more, definition, releases, freshness };
  const budgets = { ...defaultBudgets, ...given };
  const context = {
    http,
    day,
    npmRegistry,
    sourceMs: budgets.sourceMs,
    runEnd: performance.now() + budgets.runMs,
  };
  const outcomes = await askSources(input, context);
  const result = uniteAnswers(input, outcomes, day);
  keepDocuments(outcomes, result.sources);
  return result;
}
