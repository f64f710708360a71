/** A source has no usable answer: what was recorded stays. The message is one line, begins with the address and holds no secret. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly status: number | undefined;
  /** The host that fails, if it fails for all its sources. */
  readonly host: string | undefined;

  constructor(
    message: string,
    {
      status,
      host,
      cause,
    }: { status?: number | undefined; host?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.host = host;
  }

  static at(url: string | URL, problem: string, cause?: unknown): SourceError {
    return new SourceError(`${showUrl(url)}: ${problem}`, { cause });
  }
}

/** Whether upstream has no such document. */
export function isAbsent(error: unknown): boolean {
  return error instanceof SourceError && (error.status === 404 || error.status === 410);
}

/** An address as it may be printed: without user, password, query and fragment, each of which can hold a secret. */
export function showUrl(url: string | URL): string {
  const parsed = URL.parse(String(url));
  return parsed?.host ? `${parsed.origin}${parsed.pathname}` : 'an address that is no URL';
}

/** A failed attempt. `repeats`: how often another one may help. */
export class Failure extends Error {
  readonly status: number | undefined;
  readonly repeats: number;
  readonly waitMs: number;
  /** No other request to this host can succeed in this run, once the repeats are used up. */
  readonly isHostDown: boolean;
  readonly advice: string | undefined;
  /** The host that failed, which may be the target of a redirect. */
  host = '';

  constructor(
    message: string,
    details: {
      status?: number;
      repeats?: number;
      waitMs?: number;
      isHostDown?: boolean;
      advice?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.repeats = details.repeats ?? 0;
    this.waitMs = details.waitMs ?? 0;
    this.isHostDown = details.isHostDown ?? false;
    this.advice = details.advice;
  }
}

/** Repeats after the first attempt. */
const maxRepeats = 3;
/** A run gives up a host that asks for more time. */
const maxWaitMs = 60_000;

/** The failure for a status of an error. */
export function explainStatus(host: string, status: number, headers: Headers): Failure {
  const message = ` answered ${status}`;
  const isSpent =
    (status === 403 || status === 429) &&
    (headers.get('x-ratelimit-remaining') === '0' ||
      (status === 403 && headers.has('retry-after')));
  if (!isSpent && ![408, 425, 429].includes(status) && status < 500) {
    return new Failure(message, { status });
  }

  const advice = isSpent ? 'The limit on requests is used up; a token raises it.' : undefined;
  const waitMs = readRetryAfter(headers, isSpent);
  return waitMs > maxWaitMs
    ? new Failure(`: "${host}" answered ${status} and asks to wait longer than the 60 s we wait`, {
        status,
        advice,
        isHostDown: true,
      })
    : new Failure(message, { status, advice, waitMs, repeats: maxRepeats });
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
  return Math.max(0, instant - now);
}

const certificate = 'its certificate is not valid';

/** By codes of undici and node:net. A host that is down is not asked again in this run: an offline machine would wait for each. */
const explanations: [code: RegExp, text: string, repeats: number][] = [
  [/^(ENOTFOUND|EAI_)/, 'the host does not exist, or cannot be looked up (DNS)', 0],
  [/^ECONNREFUSED$/, 'connection refused', 1],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'no connection in 8 s', 1],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'no answer in 30 s', 1],
  [/^UND_ERR_BODY_TIMEOUT$/, 'the answer stopped for 15 s', 1],
  [
    /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/,
    `${certificate} here; if your own authority signed it, name it in NODE_EXTRA_CA_CERTS`,
    0,
  ],
  [/^(CERT_|ERR_TLS_CERT|ERR_SSL|EPROTO)/, certificate, 0],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was cut', maxRepeats],
];

/** Turns an error of undici into a failure. An error without a code is a bug of this program, and stays as it is. */
export function explainNetworkError(error: unknown): unknown {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new Failure(': not complete in 65 s', { cause: error });
  }

  const { code, message, cause } = findCoded(error) ?? {};
  if (error instanceof Failure || code === undefined) {
    return error;
  }

  for (const [form, text, repeats] of explanations) {
    if (form.test(code)) {
      return new Failure(`: ${text} (${code})`, {
        repeats,
        isHostDown: repeats < maxRepeats,
        cause,
      });
    }
  }
  return new Failure(`: the request failed (${code}: ${message})`, { repeats: maxRepeats, cause });
}

/** undici has no code for a proxy that refuses, only a text. */
function findCoded(error: unknown): NodeJS.ErrnoException | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  if ('code' in error && typeof error.code === 'string') {
    return error as NodeJS.ErrnoException;
  }
  if (error.message.startsWith('Proxy ')) {
    return Object.assign(error, { code: 'proxy' });
  }
  return findCoded(error instanceof AggregateError ? error.errors[0] : error.cause);
}
