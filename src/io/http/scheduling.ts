import { setTimeout as wait } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Dispatcher } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import type { BearerTokens } from './bearer-tokens.ts';
import type { HttpLimits } from './connections.ts';
import type { OwnCredentials } from './credentials.ts';
import { Failure } from './error.ts';

/** Time and randomness, which tests replace. */
export interface Clock {
  /** milliseconds since the epoch */
  now(): number;
  /** rejects or resolves early when the signal aborts */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** from 0 to below 1 */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
  random: () => Math.random(),
};

/** The state that all requests of a run share. */
export interface HttpRun {
  userAgent: string;
  credentials: OwnCredentials;
  bearer: BearerTokens;
  agent: Dispatcher;
  /** the proxies for some or all requests */
  proxies: readonly URL[];
  guard: AddressGuard;
  hosts: Hosts;
  limits: HttpLimits;
  clock: Clock;
  signal: AbortSignal;
  counts: { requests: number; latestDate?: number };
}

/** Concurrent requests: to one host (contract, section 3), and in total, since each holds a body in memory. */
const PER_HOST = 8;
const OVERALL = 32;

/** Queues the requests of a run by host. */
export type Hosts = ReturnType<typeof createHosts>;

interface HostQueue {
  limit: LimitFunction;
  heldUntil: number;
  /** The instant of the first request since its last complete answer. */
  silentSince?: number | undefined;
  failure?: Failure;
}

export function createHosts(clock: Clock) {
  const overallLimit = pLimit(OVERALL);
  const queues = new Map<string, HostQueue>();

  return {
    /** Runs `work` when its host has room. Throws a `Failure` at once for a host known to be unreachable. */
    run<T>(url: URL, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const queue = findQueue(url);

      // Wait for the host's own limit first, to leave the overall limit to other hosts.
      return queue.limit(async () => {
        rejectIfDown(queue, url);

        // While it waits, the host may ask for more time.
        let until = clock.now();
        while (queue.heldUntil > until && !signal.aborted) {
          until = queue.heldUntil;
          await clock.sleep(until - clock.now(), signal).catch(() => undefined);
        }

        return overallLimit(async () => {
          rejectIfDown(queue, url);
          queue.silentSince ??= clock.now();

          const answer = await work();

          queue.silentSince = undefined;
          return answer;
        });
      });
    },
    /** The time since the first request without a complete answer. */
    silentMs(url: URL): number {
      return clock.now() - (findQueue(url).silentSince ?? clock.now());
    },
    /** Marks the host as unreachable: further requests fail for the same reason. */
    giveUp(failure: Failure): void {
      findQueue(failure.details.url).failure ??= failure;
    },
    /** Delays requests until the instant that the host asked for. */
    holdUntil(url: URL, instant: number): void {
      const queue = findQueue(url);
      queue.heldUntil = Math.max(queue.heldUntil, instant);
    },
  };

  function findQueue(url: URL): HostQueue {
    const queue = queues.get(url.host) ?? { limit: pLimit(PER_HOST), heldUntil: 0 };
    queues.set(url.host, queue);
    return queue;
  }
}

function rejectIfDown({ failure }: HostQueue, url: URL): void {
  if (failure) {
    throw new Failure({ ...failure.details, url, retry: 'never' });
  }
}
