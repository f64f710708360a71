import pLimit, { type LimitFunction } from 'p-limit';
import type { Definition } from '../model/definition.ts';
import type { Source } from '../model/source-schema.ts';

/** Components under way at a time: of one upstream, enough to keep it as busy as it may be; of all, what memory allows. */
const limits = { ofAnUpstream: 12, ofAll: 192 };

/**
 * Runs the work of many components so that none waits for an upstream that it does not ask: ten thousand components of one
 * registry leave room for the one of another. `upstream` is what those share that have to wait for each other.
 */
export function createTurns(): <T>(upstream: string, work: () => Promise<T>) => Promise<T> {
  const ofAll = pLimit(limits.ofAll);
  const ofUpstreams = new Map<string, LimitFunction>();
  return (upstream, work) => {
    let limit = ofUpstreams.get(upstream);
    if (!limit) ofUpstreams.set(upstream, (limit = pLimit(limits.ofAnUpstream)));
    // The upstream's own place comes first: those who wait for a slow one keep no others from starting.
    return limit(() => ofAll(work));
  };
}

/** What the sources of a component are asked from; components with the same wait for each other. */
export function upstreamOf({ sources }: Definition): string {
  return [...new Set(sources.map(addressOf))].sort().join(' ');
}

function addressOf(source: Source): string {
  if (source.datasource === 'static') return '';
  const address = source.datasource === 'page' ? source.url : source.registryUrl;
  return address === undefined ? source.datasource : new URL(address).host;
}
