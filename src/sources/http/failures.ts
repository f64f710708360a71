import { errors } from 'undici';
import { describeFault, findProxyFault } from '../../core/proxies.ts';
import { joinSubject } from '../../core/text.ts';
import { nameVariables, type Credential } from './credentials.ts';

/** A source has no usable answer, so recorded data stay. The message is one line without secrets. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly status: number | undefined;
  /** The host that was requested, or the target of its redirect. */
  readonly host: string | undefined;
  /** The message, without request and address. */
  readonly problem: string;
  /** The host's limit of requests is used up. */
  readonly isLimit: boolean;

  constructor(
    message: string,
    details: ErrorOptions &
      Partial<Pick<SourceError, 'status' | 'host' | 'problem' | 'isLimit'>> = {},
  ) {
    super(message, details);
    this.status = details.status;
    // Addresses such as file:///x have no host.
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

/** Tells whether upstream has no such document. */
export function isAbsent(error: unknown): boolean {
  return error instanceof SourceError && (error.status === 404 || error.status === 410);
}

/** Returns an address for messages, without user, password, query and fragment, because each may hold a secret. A file is shown by its path. */
export function showUrl(url: string | URL): string {
  const text = String(url);
  const parsed = URL.parse(text);
  if (parsed?.host) {
    return `${parsed.origin}${parsed.pathname}`;
  }
  return /^[\w./@+-]+\.json$/.test(text) ? text : 'an address that is no URL';
}

interface FailureDetails {
  /** How often to try again. By default not at all, because the host works and only this document is wrong. */
  repeats?: number;
  /** If all attempts fail, no other request to this host can succeed in this run. */
  isHostDown?: boolean;
  /** The host's limit of requests is used up. */
  isLimit?: boolean | undefined;
  /** The verb between `GET <address>` and the message, if the message has none, unlike `answered 404`. */
  verb?: 'failed' | undefined;
  /** How long the host asks to wait, in milliseconds. */
  waitMs?: number;
  status?: number;
  advice?: string | undefined;
  /** The host that is to blame for the failures of others: a proxy. */
  place?: string;
}

/** A failed attempt. */
export class Failure extends Error {
  /** The host that failed. It may be the target of a redirect. */
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

/** Repeats for failures that may be temporary. */
const maxRepeats = 3;
/** If a host asks for a longer wait, the run gives it up. */
const maxWaitMs = 60_000;

/** Returns the failure for a status code. `credential`: the one that was sent. */
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

/** Reads how long a host asks to wait. Instants are compared with the clock of the host, which states them. */
function readRetryAfter(headers: Headers, isSpent: boolean): number {
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const after = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(after)) {
    return Number(after) * 1000;
  }

  // GitHub states the second of the reset: docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
  const reset = isSpent ? Number(headers.get('x-ratelimit-reset')) * 1000 : 0;
  const instant = after.endsWith(' GMT') ? Date.parse(after) : reset;
  // NaN if the header has no instant.
  return Math.max(0, instant - now || 0);
}

/** Failures by codes of undici and node:net. A host that is down is not requested again in this run, because an offline machine would wait for each request. */
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

/** Turns an error of undici into a failure. An error without a code is a bug of this program and is returned as it is. */
export function explainNetworkError(error: unknown, url: URL): unknown {
  if (error instanceof Failure) {
    return error;
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new Failure('the answer took too long', { verb: 'failed', cause: error });
  }

  // undici has no code for a server that speaks no HTTP, nor for a body that was packed six times. The code of a DOMException is a number.
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
    // A proxy may refuse one host. If it cannot be reached, or refuses everybody, all hosts fail for one reason.
    const isGeneral = fault.status === undefined || fault.status === 407;
    const details = { verb: 'failed' as const, repeats: 0, isHostDown: true, cause: error };
    const place = isGeneral ? { place: fault.host } : {};
    return new Failure(describeFault(fault, `${text} (${name})`), { ...details, ...place });
  }
  const isHostDown = repeats < maxRepeats;
  return new Failure(`${text} (${name})`, { verb: 'failed', repeats, isHostDown, cause: error });
}
