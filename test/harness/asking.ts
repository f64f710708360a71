import { onTestFinished } from 'vitest';
import type { SupportSource } from '../../src/core/schemas/definition/source.ts';
import {
  findAdapter,
  findSupportAdapter,
  type TypedSource,
} from '../../src/record/sources/index.ts';
import type {
  PackageDescription,
  SourceContext,
  SourceAnswer,
  StatedRelease,
  StatedAdvisory,
} from '../../src/record/sources/datasource.ts';
import { requestReleases } from '../../src/record/gather/request-facts.ts';
import { uniteByVersion } from '../../src/record/gather/select-releases.ts';
import { rerouted, testHttp } from './gathering.ts';
import { serve, startUpstream, type Document, type Handler } from './upstream.ts';

export { json } from './imitated-upstream.ts';

export interface Asking {
  documents?: Record<string, Document> | ((url: string) => Record<string, Document>);
  handler?(sound: Handler, url: string): Handler;
  /** The public registries that the upstream stands for, and where it does. */
  routes?(url: string): Record<string, string>;
  /** The version of a listed name; the name itself unless told. */
  offer?(listed: string): string;
  wantsTimestamp?(version: string): boolean;
  /** What the source listed in earlier runs. */
  listedBefore?: string[];
  packages?: SourceContext['packages'];
}

/** Asks one source with an upstream of its own, and nothing of the pipeline behind it. */
export function ask(sourceAt: (url: string) => TypedSource, asking: Asking = {}) {
  return gatherFrom(
    (url, context) => findAdapter(sourceAt(url)).gather(sourceAt(url), context),
    asking,
  );
}

/** The same of a source of release lines. */
export function askLines(sourceAt: (url: string) => SupportSource, asking: Asking = {}) {
  return gatherFrom(
    (url, context) => findSupportAdapter(sourceAt(url)).gather(sourceAt(url), context),
    asking,
  );
}

async function gatherFrom(
  gather: (url: string, context: SourceContext) => Promise<SourceAnswer>,
  asking: Asking,
) {
  const { offer = (listed: string) => listed } = asking;
  const { upstream, http, npmRegistry } = await startAsking(asking);
  const answer = await gather(upstream.url, {
    http,
    npmRegistry,
    listedBefore: asking.listedBefore ?? [],
    packages: asking.packages ?? [],
  });
  const { releases: listed = [], alsoListed = [], skipped = [] } = answer;
  const { elements } = uniteByVersion(
    listed.map((element) => ({ name: offer(element.name), element })),
    answer.hasParts,
  );
  const { wantsTimestamp = () => true } = asking;
  const unknownDays = new Set([...elements.keys()].filter(wantsTimestamp));
  const { releases, absent, postponed } = await requestReleases(elements, unknownDays);

  return {
    releases: [...releases] as StatedRelease[],
    absent,
    /** Each listed name, and whether upstream calls it a prerelease. */
    offered: [
      ...alsoListed.map(({ name }) => [name, undefined] as const),
      ...listed.map(({ name, isPrerelease }) => [name, isPrerelease] as const),
    ],
    skipped: skipped.map(({ message }) => message),
    postponed: Array.from(postponed, ([version, error]) => [version, (error as Error).message]),
    advised: [...(answer.advisories?.byId ?? [])] as [id: string, advisory: StatedAdvisory][],
    lines: answer.lines ?? [],
    /** The product that the answer names, if it is another. */
    about: answer.about,
    requests: upstream.requests,
  };
}

/** Asks one source what its registry says of the package. */
export async function askDescription(
  sourceAt: (url: string) => TypedSource,
  asking: Pick<Asking, 'documents' | 'handler' | 'routes'> = {},
): Promise<PackageDescription | undefined> {
  const { upstream, http, npmRegistry } = await startAsking(asking);
  const source = sourceAt(upstream.url);
  return findAdapter(source).describe?.(source, { http, npmRegistry });
}

async function startAsking({ documents = {}, handler = (sound) => sound, routes }: Asking) {
  const upstream = await startUpstream((url) => {
    const served = typeof documents === 'function' ? documents(url) : documents;
    return handler(serve(new Map(Object.entries(served))), url);
  });
  const http = testHttp();
  onTestFinished(async () => {
    await http.close();
    await upstream.close();
  });
  return {
    upstream,
    http: rerouted(http, routes?.(upstream.url) ?? {}),
    npmRegistry: () => upstream.url,
  };
}
