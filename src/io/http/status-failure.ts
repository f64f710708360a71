import { toLine } from '../../core/text.ts';
import type { HttpErrorKind, HttpHeaders } from './error.ts';
import { Failure, seconds } from './failure.ts';
import type { Reply } from './send-request.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TEMPORARY = new Set([408, 425, 429]);
/** A host that asks for more is not waited for. */
const MAX_RETRY_AFTER_MS = 60_000;

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** The failure for a status other than 200 and 304. */
export function statusFailure(
  url: URL,
  { status, headers, body }: Reply,
  now: number,
  adviceFor401: string,
): Failure {
  const text = ` answered ${status}`;
  const base = { url, status, headers, hostMessage: parseErrorMessage(body, headers.get('content-type')) };
  if (isRedirect(status))
    return new Failure({ ...base, kind: 'content', text: `${text} without saying where to go` });
  const isSpent = isRateLimited(status, headers);
  if (!isSpent && !TEMPORARY.has(status) && status < 500) {
    const kind = finalKind(status);
    const advice = status === 401 ? adviceFor401 : undefined;
    return new Failure({ ...base, advice, kind, text: kind === 'content' ? `${text}, expected 200` : text });
  }

  const advice = isSpent ? 'The limit on requests is used up; a token raises it.' : undefined;
  const retryAfterMs =
    parseRetryAfter(headers.get('retry-after'), now) ?? (isSpent ? untilReset(headers, now) : undefined);
  if (retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS) {
    const waits = `${text} and asks to wait ${seconds(retryAfterMs)}, longer than the ${seconds(MAX_RETRY_AFTER_MS)} we wait`;
    return new Failure({ ...base, advice, kind: 'trouble', text: waits });
  }
  return new Failure({ ...base, advice, kind: 'trouble', text, retry: 'backoff', retryAfterMs });
}

/** `Retry-After` in both its forms (RFC 9110, section 10.2.3), in milliseconds from now. */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

// GitHub answers 403 for a spent limit:
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
function isRateLimited(status: number, headers: HttpHeaders): boolean {
  if (status !== 403 && status !== 429) return false;
  return headers.get('x-ratelimit-remaining') === '0' || (status === 403 && headers.has('retry-after'));
}

function untilReset(headers: HttpHeaders, now: number): number | undefined {
  const at = Number(headers.get('x-ratelimit-reset'));
  return at > 0 ? Math.max(0, at * 1_000 - now) : undefined;
}

function finalKind(status: number): HttpErrorKind {
  if (status === 404 || status === 410) return 'absent';
  if (status === 401 || status === 403 || status === 407 || status === 451) return 'refused';
  return 'content';
}

/** The members that hold a sentence for people: of npm, PyPI and GitHub, container registries, other programs. */
const MESSAGE_KEYS = ['error', 'message', 'detail', 'title', 'reason', 'error_description'];
const MAX_MESSAGE_LENGTH = 300;

/** The message in the body of an error answer, in one line; undefined for a web page, or where there is none. */
function parseErrorMessage(body: Buffer, contentType = ''): string | undefined {
  const text = body.toString('utf8');
  const isPlain = /^text\/plain\b/i.test(contentType);
  const message = /\bjson\b/i.test(contentType) ? messageIn(tryParse(text)) : isPlain ? text : undefined;
  return (message && toLine(message, MAX_MESSAGE_LENGTH)) || undefined;
}

function messageIn(json: unknown): string | undefined {
  if (typeof json === 'string') return json;
  if (typeof json !== 'object' || json === null) return undefined;
  const { errors, ...rest } = json as Record<string, unknown>;
  const found = MESSAGE_KEYS.map((key) => rest[key]).find(
    (value) => typeof value === 'string' && value !== '',
  );
  // https://github.com/opencontainers/distribution-spec, "Error Codes"
  return (found as string | undefined) ?? (Array.isArray(errors) ? messageIn(errors[0]) : undefined);
}

export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
