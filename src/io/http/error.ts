/** The message is one line and names the URL. Neither the message nor `url` holds userinfo or a query. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  /**
   * By remedy: `absent` (404, 410) and `refused` (401, 403, 407, 451) are for the author of the definition; `trouble` (5xx, 408, 425,
   * 429, network) passes with time; `content` is an unexpected kind of answer; `limit` is an answer too big, too slow or redirected too
   * often; `forbidden` is an address that is never requested; `aborted` is a stopped run.
   */
  readonly kind: 'absent' | 'refused' | 'trouble' | 'content' | 'limit' | 'forbidden' | 'aborted';
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

/** An error handler that returns an `HttpError` and rethrows every other error. */
export function expectHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) {
    return error;
  }

  throw error;
}

/** An error handler that supplies an answer for an absent document and rethrows every other error. */
export function answerIfAbsent<T>(answer: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof HttpError && error.kind === 'absent') {
      return answer();
    }

    throw error;
  };
}

/** A URL as it may be printed: without userinfo, query and fragment, each of which can hold a secret. */
export function showUrl(url: string | URL): string {
  const parsed = URL.parse(String(url));
  if (!parsed) {
    const text = String(url).replace(/[?#].*/s, '');
    return JSON.stringify(text.replace(/^([^/]*\/\/)?.*@/s, '$1'));
  }

  parsed.username = '';
  parsed.password = '';
  parsed.search = '';
  parsed.hash = '';

  // Without //, all behind the scheme is a path: "user:password@host" has the scheme "user".
  return parsed.host === '' ? parsed.href.replace(/^([^:]*:).*@/s, '$1') : parsed.href;
}

export interface FailureDetails {
  kind: HttpError['kind'];
  /** The address that failed. After a redirect, it is not the one that was requested first. */
  url: URL;
  /** Follows "GET <url>": " answered 503" or ": connection refused by ...". */
  text: string;
  /** One or two sentences, printed after the number of attempts. */
  advice?: string | undefined;
  /** How another attempt can help: after a growing wait, or only once and quickly. Absent where none can. */
  retry?: 'backoff' | 'once' | undefined;
  /** The wait that the host asks for. */
  retryAfterMs?: number | undefined;
  /** Whether the whole host fails, not only this address: no other request to it can succeed in this run. */
  isHostDown?: boolean;
  status?: number;
  cause?: unknown;
}

/** A failed attempt. `runWithRetries` decides whether it is final and turns it into an `HttpError`. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly details: FailureDetails;

  constructor(details: FailureDetails) {
    super(details.text);
    this.details = details;
  }
}
