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
    details: {
      status?: number | undefined;
      host?: string | undefined;
      problem?: string;
      isLimit?: boolean | undefined;
      cause?: unknown;
    } = {},
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

/** How often to repeat a failed attempt; and whether no other request to this host can succeed in this run, if all fail. */
const outlooks = {
  /** The host is sound, but not this document. */
  final: { repeats: 0, isHostDown: false },
  passing: { repeats: 3, isHostDown: false },
  'host-down': { repeats: 0, isHostDown: true },
  'host-unreachable': { repeats: 1, isHostDown: true },
  /** Its limit on requests is used up: for now, and for this run. */
  'maybe-spent': { repeats: 3, isHostDown: true, isLimit: true },
  spent: { repeats: 0, isHostDown: true, isLimit: true },
} satisfies Record<string, Outlook>;

interface Outlook {
  repeats: number;
  isHostDown: boolean;
  isLimit?: boolean;
}

interface FailureDetails {
  /** By default, `final`. */
  outlook?: keyof typeof outlooks;
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

  constructor(message: string, { cause, ...details }: FailureDetails & { cause?: unknown } = {}) {
    super(message, { cause });
    this.details = details;
  }
}

export function findOutlook({ details: { outlook = 'final' } }: Failure): Outlook {
  return outlooks[outlook];
}

/** The error of a request whose last attempt failed. */
export function createSourceError(
  failure: Failure,
  request: { url: string; method?: string },
  attempts: number,
): SourceError {
  const { advice, status, verb } = failure.details;
  const asked = new URL(request.url).host;
  const host = failure.host || asked;
  const place = host === asked ? '' : `(at ${host}) `;
  const count = attempts > 1 ? ` (${attempts} attempts)` : '';
  const hint = advice ? `. ${advice}` : '';
  const problem = `${failure.message}${count}${hint}`;
  const predicate = verb ? `${verb}: ${problem}` : problem;
  const message = `${request.method ?? 'GET'} ${showUrl(request.url)} ${place}${predicate}`;
  const { isLimit } = findOutlook(failure);
  return new SourceError(message, { status, host, problem, isLimit, cause: failure });
}

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
  if (waitMs > maxWaitMs) {
    return new Failure(
      `"${host}" answered ${status} and asks to wait longer than ${maxWaitMs / 1000} s`,
      { verb: 'failed', status, advice, outlook: isLimit ? 'spent' : 'host-down' },
    );
  }
  const outlook = isLimit ? 'maybe-spent' : 'passing';
  return new Failure(message, { status, advice, waitMs, outlook });
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
const explanations = [
  {
    form: /^(ENOTFOUND|EAI_)/,
    text: 'the host does not exist, or cannot be looked up (DNS)',
    outlook: 'host-down',
  },
  { form: /^ECONNREFUSED$/, text: 'connection refused', outlook: 'host-unreachable' },
  {
    form: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    text: 'no connection in 8 s',
    outlook: 'host-unreachable',
  },
  { form: /^UND_ERR_HEADERS_TIMEOUT$/, text: 'no answer in 20 s', outlook: 'host-unreachable' },
  {
    form: /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/,
    text: 'the host does not speak https; plainHttpHosts in site/site.json permits http, with http:// in registryUrl',
    outlook: 'host-down',
  },
  {
    form: /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|ERR_TLS_CERT|ERR_SSL)/,
    text: 'its certificate is not valid here; NODE_EXTRA_CA_CERTS names an authority of your own',
    outlook: 'host-down',
  },
  {
    form: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    text: 'the connection was cut',
    outlook: 'passing',
  },
] as const;

/** Turns an error of undici into a failure. An error without a code is a bug of this program, and stays as it is. */
export function explainNetworkError(error: unknown): unknown {
  if (error instanceof Failure) {
    return error;
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new Failure('not complete within the limit of time', { verb: 'failed', cause: error });
  }

  const coded = findCoded(error);
  if (!coded) {
    return error;
  }
  // undici has no code for a proxy that refuses, nor for a server that speaks no HTTP.
  const { code = 'protocol', message, cause } = coded;
  const { text, outlook } = explanations.find(({ form }) => form.test(code)) ?? {
    text: message,
    outlook: 'passing',
  };
  return new Failure(`${text} (${code})`, { verb: 'failed', outlook, cause });
}

/** The first cause with a code, or with such a message of undici. */
function findCoded(error: unknown): NodeJS.ErrnoException | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const coded: NodeJS.ErrnoException = error;
  const isOfProtocol = /^(Proxy |Response does not match)/.test(coded.message);
  // The code of a DOMException is a number.
  if (typeof coded.code === 'string' || isOfProtocol) {
    return coded;
  }
  return findCoded(error instanceof AggregateError ? error.errors[0] : error.cause);
}
