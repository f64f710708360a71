import { Failure, toHttpError } from './error.ts';
import type { HttpRun } from './http-run.ts';

/** The wait before the first repeat is random below `BACKOFF_MS`; the bound doubles with each repeat. */
const BACKOFF_MS = 1_000;
/** The wait before the only repeat of a failure with `once`. */
const RECONNECT_MS = 250;

/**
 * Runs `attempt` until it succeeds or its failure is final. Throws `HttpError`.
 *
 * Not undici's `interceptors.retry`: it resumes a cut body by `Range`, which can join two states of a document, and it misses
 * failures after the headers, such as a packed body that ends early.
 */
export async function runWithRetries<T>(
  run: HttpRun,
  request: { method: string; url: URL; purpose?: string },
  attempt: () => Promise<T>,
): Promise<T> {
  for (let count = 1; ; count++) {
    let failure: Failure;
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Failure)) {
        throw error;
      }

      failure = error;
    }

    const waitMs = planRepeat(run, failure, count);
    if (waitMs === undefined) {
      throw toHttpError(failure, { ...request, count }, run.credentials.redact);
    }

    // If the signal cuts the sleep short, the next attempt notices.
    await run.clock.sleep(waitMs, run.signal).catch(() => undefined);
  }
}

/** The wait before the next attempt; undefined if the failure is final. Other requests to the host wait as long as it asks, or fail with it. */
function planRepeat(
  { clock, hosts, limits }: HttpRun,
  failure: Failure,
  count: number,
): number | undefined {
  const { url, retry, retryAfterMs = 0, isHostDown } = failure.details;
  if (retry === 'backoff') {
    hosts.hold(url, retryAfterMs);

    // Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
    const ceiling = BACKOFF_MS * 2 ** (count - 1);
    const waitMs = Math.max(retryAfterMs, Math.round(clock.random() * ceiling));
    return count > limits.maxRetries ? undefined : waitMs;
  }

  // Another attempt may wait for headers as long: a host that would be silent for too long is given up.
  const isSilent =
    retry === 'once' && hosts.measureSilence(url) + limits.headersMs > limits.silentMs;
  if (retry === 'once' && count <= Math.min(1, limits.maxRetries) && !isSilent) {
    return RECONNECT_MS;
  }

  if (isHostDown || isSilent) {
    hosts.giveUp(failure);
  }
  return undefined;
}
