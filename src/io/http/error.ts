/** Lower-case names; a header sent more than once is joined with ", " (RFC 9110, section 5.3). */
export type HttpHeaders = ReadonlyMap<string, string>;

/**
 * What to do about it: `absent` (404, 410) and `refused` (401, 403) are for the author of the definition;
 * `trouble` (5xx, 429, network) passes with time; `content` is an answer of another kind than expected;
 * `limit` is one too big, too slow or redirected too often; `forbidden` is an address we do not go to;
 * `aborted` means that the run was stopped.
 */
export type HttpErrorKind = 'absent' | 'refused' | 'trouble' | 'content' | 'limit' | 'forbidden' | 'aborted';

export interface HttpErrorDetails {
  kind: HttpErrorKind;
  url: string;
  message: string;
  attempts?: number;
  status?: number | undefined;
  headers?: HttpHeaders | undefined;
  said?: string | undefined;
  cause?: unknown;
}

/** The message is one line that names the URL; neither it nor `url` holds userinfo or a query. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly kind: HttpErrorKind;
  readonly url: string;
  readonly attempts: number;
  readonly status?: number;
  readonly headers?: HttpHeaders;
  /** The host's own words in the body of an error answer, in one line. */
  readonly said?: string;

  constructor(details: HttpErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.url = showUrl(details.url);
    this.attempts = details.attempts ?? 0;
    if (details.status !== undefined) this.status = details.status;
    if (details.headers !== undefined) this.headers = details.headers;
    if (details.said !== undefined) this.said = details.said;
  }
}

/** A variable of the environment that cannot be used as it is. The message is one line and does not hold the value. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly variable: string;
  readonly expected: string;

  constructor(variable: string, expected: string) {
    super(`${variable}: ${expected}`);
    this.variable = variable;
    this.expected = expected;
  }
}

/** A URL as it may be printed: without userinfo, query and fragment, each of which can hold a secret. */
export function showUrl(url: string | URL): string {
  const parsed = typeof url === 'string' ? URL.parse(url) : new URL(url);
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
