import type { HttpErrorKind, HttpHeaders } from './error.ts';
import type { Exchanged } from './exchange.ts';
import { Failure, seconds } from './failure.ts';
import type { HttpLimits } from './limits.ts';
import { parseRetryAfter } from './retry.ts';
import { whatIsSaid } from './said.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TEMPORARY = new Set([408, 425, 429]);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** The failure that a status other than 200 and 304 stands for. */
export function statusFailure(
  url: URL,
  { status, headers, body }: Exchanged,
  limits: HttpLimits,
  now: number,
  whyRefused: string,
): Failure {
  const text = ` answered ${status}`;
  const base = { url, status, headers, said: whatIsSaid(body, headers.get('content-type')) };
  if (isRedirect(status)) {
    return new Failure({ ...base, kind: 'content', text: `${text} without saying where to go` });
  }
  const isSpent = isRateLimited(status, headers);
  if (!isSpent && !TEMPORARY.has(status) && status < 500) {
    const kind = finalKind(status);
    const advice = status === 401 ? { advice: whyRefused } : {};
    return new Failure({
      ...base,
      ...advice,
      kind,
      text: kind === 'content' ? `${text}, expected 200` : text,
    });
  }

  const advice = isSpent ? { advice: 'The limit on requests is used up; a token raises it.' } : {};
  const waitMs =
    parseRetryAfter(headers.get('retry-after'), now) ?? (isSpent ? untilReset(headers, now) : undefined);
  if (waitMs !== undefined && waitMs > limits.maxRetryAfterMs) {
    const asked = `${text} and asks to wait ${seconds(waitMs)}, longer than the ${seconds(limits.maxRetryAfterMs)} we wait`;
    return new Failure({ ...base, ...advice, kind: 'trouble', text: asked });
  }
  return new Failure({ ...base, ...advice, kind: 'trouble', text, retry: 'backoff', retryAfterMs: waitMs });
}

// GitHub answers 403 for a spent limit:
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
function isRateLimited(status: number, headers: HttpHeaders): boolean {
  if (status !== 403 && status !== 429) return false;
  return headers.get('x-ratelimit-remaining') === '0' || (status === 403 && headers.has('retry-after'));
}

function untilReset(headers: HttpHeaders, now: number): number | undefined {
  const at = Number(headers.get('x-ratelimit-reset'));
  return Number.isFinite(at) && at > 0 ? Math.max(0, at * 1_000 - now) : undefined;
}

function finalKind(status: number): HttpErrorKind {
  if (status === 404 || status === 410) return 'absent';
  if (status === 401 || status === 403 || status === 407 || status === 451) return 'refused';
  return 'content';
}
