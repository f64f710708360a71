import { errors } from 'undici';
import { describeFault, findProxyFault } from '../../core/proxies.ts';
import { joinSubject } from '../../core/text.ts';
import { nameVariables, type Credential } from './credentials.ts';

/** Means that a source has no usable answer, so its recorded data stays. The message is one line without secrets. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly status: number | undefined;
  /** The host that was requested or, after a redirect, the host to which the redirect led. */
  readonly host: string | undefined;
  /** The message, without the request and its URL. */
  readonly problem: string;
  /** Whether the host's rate limit is used up. */
  readonly isLimit: boolean;

  constructor(
    message: string,
    details: ErrorOptions &
      Partial<Pick<SourceError, 'status' | 'host' | 'problem' | 'isLimit'>> = {},
  ) {
    super(message, details);
    this.status = details.status;
    // URLs such as file:///x have no host.
    this.host = details.host || undefined;
    this.problem = details.problem ?? message;
    this.isLimit = details.isLimit ?? false;
  }

  static at(url: string | URL, problem: string, cause?: unknown): SourceError {
    return new SourceError(joinSubject(showUrl(url), problem), {
      host: URL.parse(String(url))?.host,
      problem,
      cause,
    });
  }
}

/** Tells whether upstream answered that the document does not exist. */
export function isAbsent(error: unknown): boolean {
  return error instanceof SourceError && (error.status === 404 || error.status === 410);
}

/**
 * Returns a URL for messages. Removes the user, password, query and fragment, because each may contain a secret. For a file, returns its
 * path.
 */
export function showUrl(url: string | URL): string {
  const text = String(url);
  const parsed = URL.parse(text);
  if (parsed?.host) {
    return `${parsed.origin}${parsed.pathname}`;
  }
  return /^[\w./@+-]+\.json$/.test(text) ? text : 'an address that is not a URL';
}

interface FailureDetails {
  /** How often to try again. The default is 0, for the failure of a single document on a host that works. */
  repeats?: number;
  /** If true, and all attempts of this request fail, the run sends no more requests to this host. */
  isHostDown?: boolean;
  /** Whether the host's rate limit is used up. */
  isLimit?: boolean | undefined;
  /** The verb between `GET <URL>` and the message. Absent if the message begins with a verb, as `answered 404` does. */
  verb?: 'failed' | undefined;
  /** The milliseconds that the host asks us to wait. */
  waitMs?: number;
  status?: number;
  advice?: string | undefined;
  /** The proxy that caused the failure, if the proxy fails for all hosts. */
  place?: string;
}

/** Means that one attempt to send a request failed. */
export class Failure extends Error {
  /** The host that failed. After a redirect, this may be another host than the requested host. */
  host = '';
  readonly details: FailureDetails;

  constructor(message: string, { cause, ...details }: FailureDetails & ErrorOptions = {}) {
    super(message, { cause });
    this.details = details;
  }
}

/** Creates the error of a request whose last attempt failed. */
export function createSourceError(
  failure: Failure,
  request: { url: string; method?: string },
  attempts: number,
): SourceError {
  const { advice, status, verb, isLimit = false } = failure.details;
  const asked = new URL(request.url).host;
  const host = failure.host || asked;
  const place = host === asked ? '' : `(at ${host}) `;
  const count = attempts > 1 ? ` (${attempts} attempts)` : '';
  const hint = advice ? `. ${advice}` : '';
  const problem = `${failure.message}${count}${hint}`;
  const predicate = verb ? `${verb}: ${problem}` : problem;
  const message = `${request.method ?? 'GET'} ${showUrl(request.url)} ${place}${predicate}`;
  return new SourceError(message, {
    status,
    host: failure.details.place ?? host,
    problem,
    isLimit,
    cause: failure,
  });
}

/** The number of repeated attempts after failures that may be temporary. */
const maxRepeats = 3;
/** The longest wait in milliseconds. If a host asks for a longer wait, the run postpones the sources on this host. */
const maxWaitMs = 60_000;

/** Returns the failure for an HTTP status. `credential`: the credential that was sent. */
export function explainStatus(
  url: URL,
  status: number,
  headers: Headers,
  credential?: Credential,
  asNpm?: boolean,
): Failure {
  const message = `answered ${status}`;
  const isLast = headers.get('x-ratelimit-remaining') === '0';
  const isSpent =
    (status === 403 && (isLast || headers.has('retry-after'))) || (status === 429 && isLast);
  if (!isSpent && ![408, 425, 429].includes(status) && status < 500) {
    const isRefused = status === 403 && credential?.from;
    const advice = isRefused ? `The credential of ${credential.from} gives no access.` : undefined;
    return new Failure(message, { status, advice });
  }

  const remedy = credential?.from
    ? `even with the credential of ${credential.from}`
    : `a token in ${nameVariables([url], asNpm)} raises it`;
  const advice = isSpent ? `The limit on requests is used up; ${remedy}.` : undefined;
  const waitMs = readRetryAfter(headers, isSpent);
  const isLimit = isSpent || status === 429;
  const details = { status, advice, isLimit };
  if (waitMs > maxWaitMs) {
    return new Failure(
      `"${url.host}" answered ${status} and asks to wait longer than ${maxWaitMs / 1000} s`,
      { ...details, verb: 'failed', isHostDown: true },
    );
  }
  return new Failure(message, { ...details, waitMs, repeats: maxRepeats, isHostDown: isLimit });
}

/** Reads how many milliseconds a host asks us to wait. If the host gives an instant, compares it with the host's own clock. */
function readRetryAfter(headers: Headers, isSpent: boolean): number {
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const after = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(after)) {
    return Number(after) * 1000;
  }

  // GitHub gives the second in which its limit is reset: docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
  const reset = isSpent ? Number(headers.get('x-ratelimit-reset')) * 1000 : 0;
  const instant = after.endsWith(' GMT') ? Date.parse(after) : reset;
  // `instant` is NaN if the header does not contain an instant.
  return Math.max(0, instant - now || 0);
}

/**
 * Explains error codes of undici and node:net. `repeats`: how often to repeat the request. A failure with fewer repeats than `maxRepeats`
 * means that the host is down. After the last attempt, the host gets no further requests in this run. Otherwise a run without a network
 * would wait for the failure of each request.
 */
const explanations: readonly (readonly [form: RegExp, text: string, repeats: number])[] = [
  [/^(ENOTFOUND|EAI_)/, 'the host does not exist, or cannot be looked up (DNS)', 0],
  [/^ECONNREFUSED$/, 'connection refused', 1],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'no connection in 8 s', 1],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'no answer in 20 s', 1],
  [
    /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/,
    'the host does not speak https; plainHttpHosts in site/site.json permits http, with http:// in registryUrl',
    0,
  ],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired', 0],
  [
    /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|ERR_TLS_CERT|ERR_SSL)/,
    'its certificate is not valid here; NODE_EXTRA_CA_CERTS names an authority of your own',
    0,
  ],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was cut', maxRepeats],
];

/** Converts an undici error to a `Failure`. An error without a code is a bug of this program, so it is returned as it is. */
export function explainNetworkError(error: unknown, url: URL): unknown {
  if (error instanceof Failure) {
    return error;
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new Failure('the answer took too long', { verb: 'failed', cause: error });
  }

  // undici gives no code to two errors, so `protocol` is their code here. One is a server that doesn't speak HTTP. The other is a body that
  // was compressed more than five times. A DOMException has a number as its code, and is returned as it is.
  const { code, message } = error as NodeJS.ErrnoException;
  const isPackedTooOften = message?.startsWith('too many content-encodings');
  const isProtocol = error instanceof errors.HTTPParserError || isPackedTooOften;
  const name = isProtocol ? 'protocol' : code;
  if (typeof name !== 'string') {
    return error;
  }
  const explanation = explanations.find(([form]) => form.test(name));
  const [, text, repeats] = explanation ?? [name, message, maxRepeats];
  const fault = findProxyFault(error, url);
  if (fault) {
    // A proxy may reject a single host. If the proxy cannot be reached, or needs a credential (407), all hosts fail.
    const isGeneral = fault.status === undefined || fault.status === 407;
    const details = { verb: 'failed' as const, repeats: 0, isHostDown: true, cause: error };
    const place = isGeneral ? { place: fault.host } : {};
    return new Failure(describeFault(fault, `${text} (${name})`), { ...details, ...place });
  }
  const isHostDown = repeats < maxRepeats;
  return new Failure(`${text} (${name})`, { verb: 'failed', repeats, isHostDown, cause: error });
}
