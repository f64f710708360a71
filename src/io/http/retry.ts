import { setTimeout as wait } from 'node:timers/promises';
import { Failure, toHttpError } from './error.ts';
import type { Run } from './send-request.ts';

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

/** The wait before the first repeat is random below `BACKOFF_MS`, and doubles with each. */
const BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 20_000;
/** The wait before a refused connection is tried again. */
const RECONNECT_MS = 250;

/**
 * Runs `attempt` until it succeeds or its failure is final. Throws `HttpError`.
 *
 * Not by undici's `interceptors.retry`: it resumes a cut body by `Range`, which can join two states of a document, and it does
 * not see what fails after the headers, such as a packed body that ends early.
 */
export async function withRetries<T>(
  { clock, limits, signal, hosts, credentials }: Run,
  request: { method: string; url: URL; purpose?: string },
  attempt: () => Promise<T>,
): Promise<T> {
  const startedAt = clock.now();
  const texts = new Set<string>();
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      texts.add(error.details.text);
      const waitMs = count > limits.maxRetries ? undefined : waitBefore(error, count, clock.random());
      if (waitMs === undefined) {
        if (error.details.isHostDown) hosts.giveUp(error);
        const attempts = { count, elapsedMs: clock.now() - startedAt, isUniform: texts.size === 1 };
        throw toHttpError(error, { ...request, ...attempts }, credentials.redact);
      }
      // If the signal cuts the sleep short, the next attempt notices.
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }
}

function waitBefore({ details }: Failure, count: number, random: number): number | undefined {
  const { retry = 'never', retryAfterMs = 0 } = details;
  if (retry === 'never') return undefined;
  if (retry === 'once') return count > 1 ? undefined : RECONNECT_MS;
  // Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
  const ceiling = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (count - 1));
  return Math.max(retryAfterMs, Math.round(random * ceiling));
}
