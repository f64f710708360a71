/** Lower-case names; a header sent more than once is joined with ", " (RFC 9110, section 5.3). */
export type HttpHeaders = ReadonlyMap<string, string>;

/**
 * The remedy: `absent` (404, 410) and `refused` (401, 403) are for the author of the definition; `trouble` (5xx, 429, network)
 * passes with time; `content` is an answer of another kind than expected; `limit` is one too big, too slow or redirected too
 * often; `forbidden` is an address that is never requested; `aborted` means that the run was stopped.
 */
export type HttpErrorKind = 'absent' | 'refused' | 'trouble' | 'content' | 'limit' | 'forbidden' | 'aborted';

/** The message is one line that names the URL; neither it nor `url` holds userinfo or a query. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly kind: HttpErrorKind;
  readonly url: string;
  readonly status: number | undefined;

  constructor({
    kind,
    url,
    message,
    status,
    cause,
  }: Pick<HttpError, 'kind' | 'url' | 'message'> & Partial<HttpError>) {
    super(message, { cause });
    this.kind = kind;
    this.url = showUrl(url);
    this.status = status;
  }
}

/** A handler of errors that answers for a document that does not exist, and throws every other error. */
export function ifAbsent<T>(answer: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof HttpError && error.kind === 'absent') return answer();
    throw error;
  };
}

/** A URL as it may be printed: without userinfo, query and fragment, each of which can hold a secret. */
export function showUrl(url: string | URL): string {
  const parsed = URL.parse(String(url));
  if (!parsed)
    return JSON.stringify(
      String(url)
        .replace(/[?#].*/s, '')
        .replace(/\/\/[^/]*@/, '//'),
    );
  parsed.username = '';
  parsed.password = '';
  parsed.search = '';
  parsed.hash = '';
  return parsed.href;
}

export interface FailureDetails {
  kind: HttpErrorKind;
  /** where it happened; differs from the URL requested after a redirect */
  url: URL;
  /** what follows "GET <url>": " answered 503" or ": connection refused by ..." */
  text: string;
  /** a sentence or two after the count of attempts */
  advice?: string | undefined;
  /** whether another attempt can help: with backoff, once and quickly, or not at all */
  retry?: 'backoff' | 'once' | 'never';
  /** the wait that the host asks for */
  retryAfterMs?: number | undefined;
  /** the host itself is unreachable, so that no other request to it can succeed either */
  isHostDown?: boolean;
  status?: number;
  cause?: unknown;
}

/** The reason why one attempt failed. `withRetries` decides whether that is final, and makes the `HttpError` of it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly details: FailureDetails;

  constructor(details: FailureDetails) {
    super(details.text);
    this.details = details;
  }
}

interface Attempts {
  method: string;
  /** the URL requested */
  url: URL;
  /** the use of the request, where the URL alone does not show it */
  purpose?: string | undefined;
  count: number;
  /** whether every attempt failed the same way */
  isUniform: boolean;
}

/** `redact` removes secrets: a host may repeat what it was sent, in an address or in a message. */
export function toHttpError(
  { details: { url, text, advice, kind, status, cause } }: Failure,
  attempts: Attempts,
  redact: (text: string) => string,
): HttpError {
  const message = `${subject(attempts, url)}${text}${times(attempts)}${advice ? `. ${advice}` : ''}`;
  return new HttpError({ kind, url: attempts.url.href, message: redact(message), status, cause });
}

function subject({ method, url, purpose }: Attempts, at: URL): string {
  const requested = `${method} ${showUrl(url)}${purpose ? ` for ${purpose}` : ''}`;
  return at.href === url.href ? requested : `${requested} (redirected to ${showUrl(at)})`;
}

/** Without how long they took: a second run of a day, which fails the same way, changes nothing that is recorded. */
function times({ count, isUniform }: Attempts): string {
  if (count < 2) return '';
  if (!isUniform) return ` (the last of ${count} attempts)`;
  return ` (${['twice', 'three times', 'four times'][count - 2] ?? `${count} times`})`;
}

export function seconds(ms: number): string {
  return ms < 1_000 ? 'under 1 s' : `${Math.round(ms / 1_000)} s`;
}

export function bytes(count: number): string {
  if (count < 10 * 1024) return `${count} bytes`;
  if (count < 10 * 1024 * 1024) return `${Math.round(count / 1024)} KB`;
  return `${Math.round(count / (1024 * 1024))} MB`;
}
