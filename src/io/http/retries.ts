import { Failure, HttpError, showUrl } from './error.ts';
import type { HttpRun } from './http-run.ts';

/** The wait before the first repeat is random below `BACKOFF_MS`; the bound doubles with each repeat. */
const BACKOFF_MS = 1_000;
/** The wait before the only repeat of a failure with `once`. */
const RECONNECT_MS = 250;

interface RepeatedRequest {
  method: string;
  url: URL;
  /** The use of the request, if the URL does not show it. */
  purpose?: string;
}

/**
 * Runs `attempt` until it succeeds or its failure is final. Throws `HttpError`.
 *
 * Not undici's `interceptors.retry`: it resumes a cut body by `Range`, which can join two states of a document, and it misses
 * failures after the headers, such as a packed body that ends early.
 */
export async function runWithRetries<T>(
  run: HttpRun,
  request: RepeatedRequest,
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
      throw createFinalError(run, request, failure, count);
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

function createFinalError(
  { credentials }: HttpRun,
  { method, url, purpose }: RepeatedRequest,
  { details: { url: reached, text, advice, kind, status, cause } }: Failure,
  count: number,
): HttpError {
  const use = purpose === undefined ? '' : ` for ${purpose}`;
  const redirect = reached.href === url.href ? '' : ` (redirected to ${showUrl(reached)})`;
  // Omits durations: if a second run on the same day fails the same way, recorded data must not change.
  const attempts = count < 2 ? '' : ` (${count} attempts)`;
  const end = advice ? `. ${advice}` : '';
  // A host may echo credentials in an address or a message.
  const message = credentials.redact(
    `${method} ${showUrl(url)}${use}${redirect}${text}${attempts}${end}`,
  );
  return new HttpError({ kind, url: url.href, message, status, cause });
}
