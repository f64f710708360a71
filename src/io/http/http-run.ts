/** The state that all requests of a run share, and its queues by host. */
import { setTimeout as wait } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Dispatcher } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import type { OwnCredentials } from './credentials.ts';
import type { BearerTokens } from './bearer-tokens.ts';
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

/** Times in milliseconds, sizes in bytes. */
export const defaultLimits = {
  /** resolving, connecting and the TLS handshake together */
  connectMs: 8_000,
  /** from sending the request to receiving all headers */
  headersMs: 30_000,
  /** between two pieces of a body */
  idleMs: 15_000,
  /** one request with its whole body */
  totalMs: 65_000,
  /** a host without one complete answer for so long, repeats included, is unreachable */
  silentMs: 70_000,
  /** the unpacked body: npm's documents can have 60 MB. A request may set its own limit */
  maxBytes: 64 * 1024 * 1024,
  /** repeats after the first attempt */
  maxRetries: 3,
};

export type HttpLimits = Readonly<typeof defaultLimits>;

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

interface HostQueue {
  limit: LimitFunction;
  heldUntil: number;
  /** The instant of the first request since its last complete answer. */
  silentSince?: number | undefined;
  failure?: Failure;
}

/** Queues the requests of a run by host. */
export class Hosts {
  readonly #clock: Clock;
  readonly #overallLimit = pLimit(OVERALL);
  readonly #queues = new Map<string, HostQueue>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `work` when its host has room. Rejects with a `Failure`, without a request, once its host is known to be unreachable. */
  run<T>(url: URL, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const queue = this.#findQueue(url);

    // Wait for the host's own limit first, to leave the overall limit to other hosts.
    return queue.limit(async () => {
      rejectIfDown(queue, url);
      await this.#waitWhileHeld(queue, signal);

      return this.#overallLimit(async () => {
        rejectIfDown(queue, url);
        queue.silentSince ??= this.#clock.now();

        const answer = await work();

        queue.silentSince = undefined;
        return answer;
      });
    });
  }

  /** While a request waits, the host may ask for more time. */
  async #waitWhileHeld(queue: HostQueue, signal: AbortSignal): Promise<void> {
    let until = this.#clock.now();
    while (queue.heldUntil > until && !signal.aborted) {
      until = queue.heldUntil;
      await this.#clock.sleep(until - this.#clock.now(), signal).catch(() => undefined);
    }
  }

  /** The time since the first request after the last complete answer. */
  measureSilence(url: URL): number {
    const now = this.#clock.now();
    return now - (this.#findQueue(url).silentSince ?? now);
  }

  /** Marks the host as unreachable: further requests fail for the same reason. */
  giveUp(failure: Failure): void {
    this.#findQueue(failure.details.url).failure ??= failure;
  }

  /** Delays requests for as long as the host asks. */
  hold(url: URL, ms: number): void {
    const queue = this.#findQueue(url);
    queue.heldUntil = Math.max(queue.heldUntil, this.#clock.now() + ms);
  }

  #findQueue({ host }: URL): HostQueue {
    const queue = this.#queues.get(host) ?? { limit: pLimit(PER_HOST), heldUntil: 0 };
    this.#queues.set(host, queue);
    return queue;
  }
}

function rejectIfDown({ failure }: HostQueue, url: URL): void {
  if (failure) {
    throw new Failure({ ...failure.details, url, retry: 'never' });
  }
}
