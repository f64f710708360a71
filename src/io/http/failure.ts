import { type HttpErrorKind, type HttpHeaders, HttpError, showUrl } from './error.ts';

export interface FailureDetails {
  kind: HttpErrorKind;
  /** where it happened; differs from the URL asked for after a redirect */
  url: URL;
  /** what follows "GET <url>": " answered 503" or ": connection refused by ..." */
  text: string;
  /** a sentence or two after the count of attempts */
  advice?: string;
  /** whether asking again can help: with backoff, once and quickly, or not at all */
  retry?: 'backoff' | 'once' | 'never';
  /** the server's own word on when to come back */
  retryAfterMs?: number | undefined;
  /** the host itself cannot be reached, so that no other request to it can succeed either */
  isHostDown?: boolean;
  status?: number;
  headers?: HttpHeaders;
  /** the host's own words in the body of an error answer, in one line */
  said?: string | undefined;
  cause?: unknown;
}

/** Why one attempt failed. `withRetries` decides whether that is final, and makes the `HttpError` of it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly details: FailureDetails;

  constructor(details: FailureDetails) {
    super(details.text);
    this.details = details;
  }
}

export interface Attempts {
  method: string;
  /** the URL asked for */
  url: URL;
  purpose?: string | undefined;
  count: number;
  elapsedMs: number;
  /** whether every attempt failed the same way */
  isUniform: boolean;
}

/** `redact` takes out what is secret: a host may repeat what it was sent, in an address or in words. */
export function toHttpError(
  failure: Failure,
  attempts: Attempts,
  redact: (text: string) => string,
): HttpError {
  const { kind, url, text, advice, status, headers, said, cause } = failure.details;
  return new HttpError({
    kind,
    url: attempts.url.href,
    message: redact(
      `${subject(attempts, url, text)}${text}${times(attempts, text)}${advice ? `. ${advice}` : ''}`,
    ),
    attempts: attempts.count,
    status,
    headers,
    said: said && redact(said),
    cause,
  });
}

function subject({ method, url, purpose }: Attempts, at: URL, text: string): string {
  const asked = `${method} ${showUrl(url)}${purpose ? ` for ${purpose}` : ''}`;
  if (at.href === url.href) return asked;
  return `${asked}, redirected to ${showUrl(at)}${text.startsWith(':') ? '' : ','}`;
}

function times({ count, elapsedMs, isUniform }: Attempts, text: string): string {
  if (count < 2) return '';
  const word = ['', 'once', 'twice', 'three times', 'four times'][count] ?? `${count} times`;
  if (!isUniform) return ` (the last of ${count} attempts in ${seconds(elapsedMs)})`;
  const counted = `${word} in ${seconds(elapsedMs)}`;
  return text.startsWith(' answered') ? ` ${counted}` : ` (${counted})`;
}

export function seconds(ms: number): string {
  if (ms < 1_000) return 'under 1 s';
  return `${Math.round(ms / 1_000)} s`;
}

export function bytes(count: number): string {
  if (count < 10 * 1024) return `${count} bytes`;
  if (count < 10 * 1024 * 1024) return `${Math.round(count / 1024)} KB`;
  return `${Math.round(count / (1024 * 1024))} MB`;
}
