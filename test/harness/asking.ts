import { onTestFinished } from 'vitest';
import type { StatedLine } from '../../src/core/schemas/recorded/recorded.ts';
import type { SupportSource } from '../../src/core/schemas/definition/support-source.ts';
import {
  findAdapter,
  findSupportAdapter,
  type TypedSource,
} from '../../src/record/sources/index.ts';
import type {
  PackageDescription,
  SourceContext,
  StatedRelease,
  StatedAdvisory,
} from '../../src/record/sources/datasource.ts';
import { rerouted, testHttp } from './gathering.ts';
import { serve, startUpstream, type Document, type Handler } from './upstream.ts';

export { json } from './imitated-upstream.ts';

export interface Asking {
  documents?: Record<string, Document> | ((url: string) => Record<string, Document>);
  handler?(sound: Handler, url: string): Handler;
  /** The public registries that the upstream stands for, and where it does. */
  routes?(url: string): Record<string, string>;
  /** What `offer` gives back; all that is offered unless told. */
  offer?(listed: string): string | undefined;
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
  gather: (url: string, context: SourceContext) => Promise<StatedRelease[]>,
  asking: Asking,
) {
  const { offer = (listed: string) => listed } = asking;
  const { upstream, http, npmRegistry } = await startAsking(asking);
  const asked = {
    releases: [] as StatedRelease[],
    /** Each offered version, and whether upstream calls it a prerelease. */
    offered: [] as [string, boolean | undefined][],
    skipped: [] as string[],
    postponed: [] as [string, string][],
    advised: [] as [id: string, advisory: StatedAdvisory][],
    lines: [] as StatedLine[],
    /** The product that the answer names. */
    about: undefined as string | undefined,
    requests: upstream.requests,
  };
  const context: SourceContext = {
    http,
    npmRegistry,
    offer(listed, isPrerelease) {
      asked.offered.push([listed, isPrerelease]);
      return offer(listed);
    },
    listedBefore: () => asking.listedBefore ?? [],
    packages: asking.packages ?? [],
    advise: (id, advisory) => void asked.advised.push([id, advisory]),
    adviseNothingElse: () => undefined,
    stateLine: (line) => void asked.lines.push(line),
    isAbout: (subject) => void (asked.about = subject),
    wantsTimestamp: asking.wantsTimestamp ?? (() => true),
    postpone: (version, error) => asked.postponed.push([version, (error as Error).message]),
    skip: (message) => asked.skipped.push(message),
  };
  asked.releases.push(...(await gather(upstream.url, context)));
  return asked;
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
