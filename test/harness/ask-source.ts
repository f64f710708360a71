import type { Recorded, StatedLine } from '../../src/core/schema/recorded.ts';
import { parseVersion } from '../../src/core/version.ts';
import { createHttp, type Http } from '../../src/sources/http/client.ts';
import { ask as askSource, findDatasource } from '../../src/sources/index.ts';
import { lookUpFacts } from '../../src/sources/answer.ts';
import type { SourceAnswer, SourceContext, SourceRelease } from '../../src/sources/types.ts';
import { serve, startUpstream, type Documents, type Handler, type Upstream } from './upstream.ts';

export const runDay = '2026-06-30';

export interface Asking {
  documents?: Documents | ((url: string) => Documents);
  /** Changes what a sound upstream does. */
  change?(sound: Handler): Handler;
  /** The public address that the upstream stands for. */
  standsFor?: string | undefined;
  recorded?: Recorded;
  packages?: SourceContext['packages'];
}

export interface Asked extends SourceAnswer {
  upstream: Upstream;
  /** `GET /path` of each request. */
  asked: string[];
}

type Named = SourceRelease & { name: string };
type Ask = Parameters<typeof findDatasource>[0];

/** A client without waits. */
export function createTestHttp(options: Partial<Parameters<typeof createHttp>[0]> = {}): Http {
  return createHttp({
    repositoryUrl: 'https://index.example.com',
    env: {},
    sleep: (_ms, signal) => Promise.resolve(signal.throwIfAborted()),
    ...options,
  });
}

/** Runs with a client and a context whose upstream is on loopback. */
export async function withUpstream<T>(
  { documents = {}, change = (sound) => sound, standsFor, recorded, packages = [] }: Asking,
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
  const context = { http, root: '', day: runDay, packages, ...(recorded && { recorded }) };
  try {
    return { result: await run(upstream.url, context), upstream };
  } finally {
    await client.close();
  }
}

/** What a source lists, with the facts that its list lacks: all that a run asks of it. */
export async function ask(
  createSource: (url: string) => object,
  asking: Asking = {},
): Promise<Asked> {
  const { result, upstream } = await withUpstream(asking, async (url, context) => {
    const source = createSource(url) as Ask;
    const datasource = findDatasource(source);
    const listed = await datasource.list(source, context);
    const [named, others] = [true, false].map((isVersion) =>
      listed.releases
        .filter(({ version }) => (parseVersion(version) !== undefined) === isVersion)
        .map((release) => ({ ...release, name: release.version })),
    ) as [Named[], Named[]];
    const found = await lookUpFacts(datasource, source, named, context);
    const releases = [...found.releases, ...others].map(({ name: _, ...release }) => release);
    return {
      ...listed,
      releases: releases as SourceRelease[],
      notes: [...listed.notes, ...found.notes],
    };
  });
  return { ...dropAbsent(result), upstream, asked: upstream.asked() };
}

/** What a source lists whose registry has these documents. */
export function askRegistry(source: object, documents: Documents): Promise<Asked> {
  return ask((registryUrl) => ({ ...source, registryUrl }), { documents });
}

export async function askLines(
  createSource: (url: string) => object,
  asking: Asking,
): Promise<StatedLine[]> {
  const { result } = await withUpstream(asking, (url, context) =>
    askSource(
      {
        id: '',
        source: createSource(url) as Ask,
        definition: { sources: [] },
        recorded: { releases: [] },
      },
      context,
    ),
  );
  return dropAbsent(result.lines ?? []);
}

/** As in JSON. */
function dropAbsent<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
