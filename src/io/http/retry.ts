import { setTimeout as wait } from 'node:timers/promises';
import { Failure, toHttpError } from './failure.ts';
import type { HttpLimits } from './limits.ts';

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

export interface RetryContext {
  method: string;
  url: URL;
  clock: Clock;
  limits: HttpLimits;
  signal: AbortSignal;
  /** what the request is for, where the URL alone does not say */
  purpose?: string | undefined;
  /** takes what is secret out of a text */
  redact(text: string): string;
  /** called with the last failure, after which there is no further attempt */
  onFinal(failure: Failure): void;
}

/** Runs `attempt` until it succeeds or its failure is final. Throws `HttpError`. */
export async function withRetries<T>(context: RetryContext, attempt: () => Promise<T>): Promise<T> {
  const { clock, method, url, purpose, signal, redact } = context;
  const startedAt = clock.now();
  const texts = new Set<string>();
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      texts.add(error.details.text);
      const waitMs = waitBefore(error, count, context);
      if (waitMs === undefined) {
        const elapsedMs = clock.now() - startedAt;
        context.onFinal(error);
        const isUniform = texts.size === 1;
        throw toHttpError(error, { method, url, purpose, count, elapsedMs, isUniform }, redact);
      }
      // If the signal cuts the sleep short, the next attempt notices.
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }
}

function waitBefore(failure: Failure, count: number, { clock, limits }: RetryContext): number | undefined {
  const { retry = 'never', retryAfterMs = 0 } = failure.details;
  if (retry === 'never' || count > limits.maxRetries) return undefined;
  if (retry === 'once') return count > 1 ? undefined : limits.reconnectMs;
  // Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
  const ceiling = Math.min(limits.maxBackoffMs, limits.backoffMs * 2 ** (count - 1));
  return Math.max(retryAfterMs, Math.round(clock.random() * ceiling));
}

/** `Retry-After` in both its forms (RFC 9110, section 10.2.3), in milliseconds from now. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
