import { Failure, toHttpError } from './error.ts';
import type { HttpRun } from './http-run.ts';

/** The wait before the first repeat is random below `BACKOFF_MS`; the bound doubles with each repeat. */
const BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 20_000;
/** The wait before the only repeat of a failure with `once`. */
const RECONNECT_MS = 250;

/**
 * Runs `attempt` until it succeeds or its failure is final. Throws `HttpError`.
 *
 * Not undici's `interceptors.retry`: it resumes a cut body by `Range`, which can join two states of a document, and it misses
 * failures after the headers, such as a packed body that ends early.
 */
export async function runWithRetries<T>(
  { clock, limits, signal, hosts, credentials }: HttpRun,
  request: { method: string; url: URL; purpose?: string },
  attempt: () => Promise<T>,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Failure)) {
        throw error;
      }

      const { url, retry, retryAfterMs, isHostDown } = error.details;
      if (retry === 'backoff' && retryAfterMs !== undefined) {
        hosts.hold(url, retryAfterMs);
      }

      // Another attempt may wait for headers as long: a host that would be silent for too long is given up.
      const isSilent =
        retry === 'once' && hosts.measureSilence(url) + limits.headersMs > limits.silentMs;
      const isLast = isSilent || count > limits.maxRetries;
      const waitMs = isLast ? undefined : computeWaitMs(error, count, clock.random());
      if (waitMs === undefined) {
        if (isHostDown || isSilent) {
          hosts.giveUp(error);
        }

        throw toHttpError(error, { ...request, count }, credentials.redact);
      }

      // If the signal cuts the sleep short, the next attempt notices.
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }
}

function computeWaitMs({ details }: Failure, count: number, random: number): number | undefined {
  const { retry = 'never', retryAfterMs = 0 } = details;
  if (retry === 'never') {
    return undefined;
  }
  if (retry === 'once') {
    return count > 1 ? undefined : RECONNECT_MS;
  }

  // Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
  const ceiling = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (count - 1));
  return Math.max(retryAfterMs, Math.round(random * ceiling));
}
