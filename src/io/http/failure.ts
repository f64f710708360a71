import { type HttpErrorKind, type HttpHeaders, HttpError, showUrl } from './error.ts';

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
  headers?: HttpHeaders;
  /** the message in the body of an error answer, in one line */
  hostMessage?: string | undefined;
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

export interface Attempts {
  method: string;
  /** the URL requested */
  url: URL;
  /** the use of the request, where the URL alone does not show it */
  purpose?: string | undefined;
  count: number;
  elapsedMs: number;
  /** whether every attempt failed the same way */
  isUniform: boolean;
}

/** `redact` removes secrets: a host may repeat what it was sent, in an address or in a message. */
export function toHttpError(
  { details: { url, text, advice, hostMessage, kind, status, headers, cause } }: Failure,
  attempts: Attempts,
  redact: (text: string) => string,
): HttpError {
  const message = `${subject(attempts, url, text)}${text}${times(attempts, text)}${advice ? `. ${advice}` : ''}`;
  return new HttpError({
    kind,
    url: attempts.url.href,
    message: redact(message),
    status,
    headers,
    hostMessage: hostMessage && redact(hostMessage),
    cause,
  });
}

function subject({ method, url, purpose }: Attempts, at: URL, text: string): string {
  const requested = `${method} ${showUrl(url)}${purpose ? ` for ${purpose}` : ''}`;
  if (at.href === url.href) return requested;
  return `${requested}, redirected to ${showUrl(at)}${text.startsWith(':') ? '' : ','}`;
}

function times({ count, elapsedMs, isUniform }: Attempts, text: string): string {
  if (count < 2) return '';
  if (!isUniform) return ` (the last of ${count} attempts in ${seconds(elapsedMs)})`;
  const word = ['', '', 'twice', 'three times', 'four times'][count] ?? `${count} times`;
  const counted = `${word} in ${seconds(elapsedMs)}`;
  return text.startsWith(' answered') ? ` ${counted}` : ` (${counted})`;
}

export function seconds(ms: number): string {
  return ms < 1_000 ? 'under 1 s' : `${Math.round(ms / 1_000)} s`;
}

export function bytes(count: number): string {
  if (count < 10 * 1024) return `${count} bytes`;
  if (count < 10 * 1024 * 1024) return `${Math.round(count / 1024)} KB`;
  return `${Math.round(count / (1024 * 1024))} MB`;
}
