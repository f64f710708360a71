import { setTimeout as wait } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { Failure } from './error.ts';

/** Time and randomness, which tests replace. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Rejects or resolves early when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
  random: () => Math.random(),
};

/** Concurrent requests to one host, a promise of the contract, and in total, since each holds a body in memory. */
const PER_HOST = 8;
const OVERALL = 32;

interface Queue {
  limit: LimitFunction;
  heldUntil: number;
  /** The instant of the first request since its last complete answer. */
  silentSince?: number | undefined;
  failure?: Failure;
}

/** The queues of the hosts of a run. */
export type Hosts = ReturnType<typeof createHosts>;

export function createHosts({ now, sleep }: Pick<Clock, 'now' | 'sleep'>) {
  const overallLimit = pLimit(OVERALL);
  const queues = new Map<string, Queue>();

  function findQueue({ host }: URL): Queue {
    const queue = queues.get(host) ?? { limit: pLimit(PER_HOST), heldUntil: 0 };
    queues.set(host, queue);
    return queue;
  }

  return {
    /** Runs `work` when its host has room. Rejects with a `Failure`, without a request, once its host was given up. */
    run<T extends object>(url: URL, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const queue = findQueue(url);
      const isHeld = () => !queue.failure && queue.heldUntil > now() && !signal.aborted;

      const send = async () => {
        if (queue.failure) {
          throw new Failure({ ...queue.failure.details, url, retry: undefined });
        }

        queue.silentSince ??= now();

        const answer = await work();

        queue.silentSince = undefined;
        return answer;
      };

      // Waits for the limit of the host first, to leave the overall limit to other hosts.
      return queue.limit(async () => {
        let answer: T | undefined;
        while (!answer) {
          if (isHeld()) {
            await sleep(queue.heldUntil - now(), signal).catch(() => undefined);
          } else {
            // No answer if the host has asked for time while the request waited for the overall limit.
            answer = await overallLimit(() => (isHeld() ? undefined : send()));
          }
        }
        return answer;
      });
    },
    /** The time since the first request after the last complete answer. */
    measureSilence(url: URL): number {
      return now() - (findQueue(url).silentSince ?? now());
    },
    /** Gives up the host for this run: further requests to it fail for the same reason. */
    giveUp(failure: Failure): void {
      findQueue(failure.details.url).failure ??= failure;
    },
    /** Delays requests for as long as the host asks. */
    hold(url: URL, ms: number): void {
      const queue = findQueue(url);
      queue.heldUntil = Math.max(queue.heldUntil, now() + ms);
    },
  };
}
