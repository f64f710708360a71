import { errors } from 'undici';

/** A source has no usable answer: what was recorded stays. The message is one line, and holds no secret. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly status: number | undefined;
  /** The host that was asked, or to which it led. */
  readonly host: string | undefined;
  /** The message without the request or the address. */
  readonly problem: string;
  /** The host has no answers left for this run. */
  readonly isLimit: boolean;

  constructor(
    message: string,
    details: ErrorOptions &
      Partial<Pick<SourceError, 'status' | 'host' | 'problem' | 'isLimit'>> = {},
  ) {
    super(message, details);
    this.status = details.status;
    // Addresses such as file:///x have none.
    this.host = details.host || undefined;
    this.problem = details.problem ?? message;
    this.isLimit = details.isLimit ?? false;
  }

  static at(url: string | URL, problem: string, cause?: unknown): SourceError {
    return new SourceError(`${showUrl(url)}: ${problem}`, {
      host: URL.parse(String(url))?.host,
      problem,
      cause,
    });
  }
}

/** Whether upstream has no such document. */
export function isAbsent(error: unknown): boolean {
  return error instanceof SourceError && (error.status === 404 || error.status === 410);
}

/** An address as it may be printed: without user, password, query and fragment, each of which can hold a secret; a file by its path. */
export function showUrl(url: string | URL): string {
  const text = String(url);
  const parsed = URL.parse(text);
  if (parsed?.host) {
    return `${parsed.origin}${parsed.pathname}`;
  }
  return /^[\w./@+-]+\.json$/.test(text) ? text : 'an address that is no URL';
}

interface FailureDetails {
  /** How often to try again; not at all by default: the host is sound, but not this document. */
  repeats?: number;
  /** If all attempts fail, no other request to this host can succeed in this run. */
  isHostDown?: boolean;
  /** Its limit on requests is used up. */
  isLimit?: boolean | undefined;
  /** Where the message does not go on from `GET <address>`, as `answered 404` does. */
  verb?: 'failed' | undefined;
  /** How long the host asks to wait. */
  waitMs?: number;
  status?: number;
  advice?: string | undefined;
}

/** A failed attempt. */
export class Failure extends Error {
  /** The host that failed, which may be the target of a redirect. */
  host = '';
  readonly details: FailureDetails;

  constructor(message: string, { cause, ...details }: FailureDetails & ErrorOptions = {}) {
    super(message, { cause });
    this.details = details;
  }
}

/** The error of a request whose last attempt failed. */
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
  return new SourceError(message, { status, host, problem, isLimit, cause: failure });
}

/** Of what may pass. */
const maxRepeats = 3;
/** A run gives up a host that asks for more time. */
const maxWaitMs = 60_000;

/** The failure for a status of an error. */
export function explainStatus(host: string, status: number, headers: Headers): Failure {
  const message = `answered ${status}`;
  const isLast = headers.get('x-ratelimit-remaining') === '0';
  const isSpent =
    (status === 403 && (isLast || headers.has('retry-after'))) || (status === 429 && isLast);
  if (!isSpent && ![408, 425, 429].includes(status) && status < 500) {
    return new Failure(message, { status });
  }

  const advice = isSpent ? 'The limit on requests is used up; a token raises it.' : undefined;
  const waitMs = readRetryAfter(headers, isSpent);
  const isLimit = isSpent || status === 429;
  const details = { status, advice, isLimit };
  if (waitMs > maxWaitMs) {
    return new Failure(
      `"${host}" answered ${status} and asks to wait longer than ${maxWaitMs / 1000} s`,
      { ...details, verb: 'failed', isHostDown: true },
    );
  }
  return new Failure(message, { ...details, waitMs, repeats: maxRepeats, isHostDown: isLimit });
}

/** By the clock of the host, which states the instants. */
function readRetryAfter(headers: Headers, isSpent: boolean): number {
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const after = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(after)) {
    return Number(after) * 1000;
  }

  // GitHub states the second of the reset: docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
  const reset = isSpent ? Number(headers.get('x-ratelimit-reset')) * 1000 : 0;
  const instant = after.endsWith(' GMT') ? Date.parse(after) : reset;
  // NaN for a header that states no instant.
  return Math.max(0, instant - now || 0);
}

/** By codes of undici and node:net. A host that is down is not asked again in this run: an offline machine would wait for each. */
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
  [
    /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|ERR_TLS_CERT|ERR_SSL)/,
    'its certificate is not valid here; NODE_EXTRA_CA_CERTS names an authority of your own',
    0,
  ],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was cut', maxRepeats],
];

/** Turns an error of undici into a failure. An error without a code is a bug of this program, and stays as it is. */
export function explainNetworkError(error: unknown): unknown {
  if (error instanceof Failure) {
    return error;
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new Failure('not complete within the limit of time', { verb: 'failed', cause: error });
  }

  // undici has no code for a server that speaks no HTTP; that of a DOMException is a number.
  const { code, message } = error as NodeJS.ErrnoException;
  const name = error instanceof errors.HTTPParserError ? 'protocol' : code;
  if (typeof name !== 'string') {
    return error;
  }
  const explanation = explanations.find(([form]) => form.test(name));
  const [, text, repeats] = explanation ?? [name, message, maxRepeats];
  const isHostDown = repeats < maxRepeats;
  return new Failure(`${text} (${name})`, { verb: 'failed', repeats, isHostDown, cause: error });
}
