/** Lower-case names; a header sent more than once is joined with ", " (RFC 9110, section 5.3). */
export type HttpHeaders = ReadonlyMap<string, string>;

/**
 * The remedy: `absent` (404, 410) and `refused` (401, 403) are for the author of the definition; `trouble` (5xx, 429, network)
 * passes with time; `content` is an answer of another kind than expected; `limit` is one too big, too slow or redirected too
 * often; `forbidden` is an address that is never requested; `aborted` means that the run was stopped.
 */
export type HttpErrorKind = 'absent' | 'refused' | 'trouble' | 'content' | 'limit' | 'forbidden' | 'aborted';

export interface HttpErrorDetails {
  kind: HttpErrorKind;
  url: string;
  message: string;
  status?: number | undefined;
  headers?: HttpHeaders | undefined;
  hostMessage?: string | undefined;
  cause?: unknown;
}

/** The message is one line that names the URL; neither it nor `url` holds userinfo or a query. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly kind: HttpErrorKind;
  readonly url: string;
  readonly status: number | undefined;
  readonly headers: HttpHeaders | undefined;
  /** The message in the body of an error answer, in one line. */
  readonly hostMessage: string | undefined;

  constructor({ kind, url, message, status, headers, hostMessage, cause }: HttpErrorDetails) {
    super(message, { cause });
    this.kind = kind;
    this.url = showUrl(url);
    this.status = status;
    this.headers = headers;
    this.hostMessage = hostMessage;
  }
}

/** A variable of the environment that cannot be used as it is. The message is one line and does not hold the value. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly variable: string;
  readonly reason: string;

  constructor(variable: string, reason: string) {
    super(`${variable}: ${reason}`);
    this.variable = variable;
    this.reason = reason;
  }
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
