import type { Recorded, StatedLine } from '../../src/core/schema/recorded.ts';
import { createHttp, type Http } from '../../src/sources/http/client.ts';
import {
  ask as askSource,
  type AskedSource,
  type findDatasource,
} from '../../src/sources/index.ts';
import type { SourceAnswer, SourceRelease } from '../../src/sources/read-releases.ts';
import type { SourceContext } from '../../src/sources/types.ts';
import { serve, startUpstream, type Documents, type Handler, type Upstream } from './upstream.ts';

const runDay = '2026-06-30';

export interface Question {
  documents?: Documents | ((url: string) => Documents);
  /** Wraps the handler of the imitated upstream, for example to make it fail. */
  change?(sound: Handler): Handler;
  /**
   * The beginning of a public address, for example `https://hub.docker.com/`. The imitated upstream receives all requests to addresses that
   * begin with it.
   */
  standsFor?: string | undefined;
  recorded?: Recorded;
  /** A signal that ends the look-up of release dates. In a real run, a time limit sends it. */
  enough?: AbortSignal;
  /** The component's other sources. */
  others?: readonly AnySource[];
}

export interface Asked extends SourceAnswer {
  isCut?: boolean;
  upstream: Upstream;
  /** One entry for each request, such as `GET /path`. */
  asked: string[];
}

type AnySource = Parameters<typeof findDatasource>[0];

/** Creates an HTTP client that repeats failed requests without waiting. */
export function createTestHttp(options: Partial<Parameters<typeof createHttp>[0]> = {}): Http {
  return createHttp({
    repositoryUrl: 'https://index.example.com',
    env: {},
    signal: new AbortController().signal,
    sleep: (_ms, signal) => Promise.resolve(signal.throwIfAborted()),
    ...options,
  });
}

/** Starts an upstream on loopback. Calls `run` with its URL, and with the HTTP client, date and recorded data that a source needs. */
export async function withUpstream<T>(
  { documents = {}, change = (sound) => sound, standsFor, recorded }: Question,
  run: (url: string, context: SourceContext) => Promise<T>,
): Promise<{ result: T; upstream: Upstream }> {
  const upstream = await startUpstream((url) =>
    change(serve(typeof documents === 'function' ? documents(url) : documents)),
  );
  const client = createTestHttp();
  const locate = (url: string) =>
    standsFor && url.startsWith(standsFor) ? upstream.url + url.slice(standsFor.length) : url;
  const http: Http = {
    ...client,
    fetch: (request) => client.fetch({ ...request, url: locate(request.url) }),
  };
  const context = { http, root: '', day: runDay, packages: [], ...(recorded && { recorded }) };
  try {
    return { result: await run(upstream.url, context), upstream };
  } finally {
    await client.close();
  }
}

/** Returns what a run would record from a source, including prereleases. */
export async function ask(
  createSource: (url: string) => object,
  question: Question = {},
  kind: AskedSource['kind'] = 'releases',
): Promise<Asked> {
  const { result, upstream } = await withUpstream(question, (url, context) => {
    const source = createSource(url) as AnySource;
    const definition = { sources: [...(question.others ?? []), source], prereleases: true };
    const recorded = context.recorded ?? { releases: [] };
    const { enough = new AbortController().signal } = question;
    const asked = { id: '', kind, source } as AskedSource;
    return askSource({ ...asked, definition, recorded }, { ...context, enough });
  });
  // If a source says nothing about deprecation, `deprecated` is null. Such a key is removed here. Otherwise, every test would have to
  // expect `deprecated: null`.
  const releases = result.releases.map(({ name: _, deprecated, ...release }): SourceRelease => {
    return { ...release, deprecated: deprecated ?? undefined };
  });
  return { ...dropAbsent({ ...result, releases }), upstream, asked: upstream.asked() };
}

/** Asks a source whose registry serves these documents. */
export function askRegistry(source: object, documents: Documents): Promise<Asked> {
  return ask((registryUrl) => ({ ...source, registryUrl }), { documents });
}

export async function askLines(
  createSource: (url: string) => object,
  question: Question,
): Promise<StatedLine[]> {
  const { lines = [] } = await ask(createSource, question, 'lines');
  return lines;
}

/** Drops keys that are undefined, as JSON does. */
export function dropAbsent<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
