import { toLine } from '../../core/text/foreign-text.ts';
import { LocalAddressError } from './address-guard.ts';
import type { HttpLimits } from './http-run.ts';
import { Failure, type FailureDetails, type HttpError } from './error.ts';
import { parseHttpDate, type HttpHeaders } from './http-headers.ts';
import type { Reply } from './request.ts';

const TEMPORARY = new Set([408, 425, 429]);
const FINAL_KINDS = new Map<number, HttpError['kind']>([
  [403, 'refused'],
  [404, 'absent'],
  [407, 'refused'],
  [410, 'absent'],
  [451, 'refused'],
]);
/** A run gives up a host that asks for more. */
const MAX_RETRY_AFTER_MS = 60_000;

/** The failure for a status that is neither 401 nor of a document. */
export function createStatusFailure({ url, status, headers }: Reply, now: number): Failure {
  const text = ` answered ${status}`;
  const isSpent = isRateLimited(status, headers);
  if (!isSpent && !TEMPORARY.has(status) && status < 500) {
    const kind = FINAL_KINDS.get(status) ?? 'content';
    return new Failure({
      kind,
      url,
      status,
      text: kind === 'content' ? `${text}, expected 200` : text,
    });
  }

  // By the clock of the host, which states the instants below, too. NaN is false.
  const answeredAt = parseHttpDate(headers.get('date')) || now;
  const retryAfterMs =
    parseRetryAfter(headers.get('retry-after'), answeredAt) ??
    (isSpent ? readReset(headers, answeredAt) : undefined);
  const advice = isSpent ? 'The limit on requests is used up; a token raises it.' : undefined;
  const failure = { kind: 'trouble', url, status, advice, retryAfterMs } as const;
  if (retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS) {
    const wait = `asks to wait longer than the ${formatSeconds(MAX_RETRY_AFTER_MS)} we wait`;
    return new Failure({
      ...failure,
      text: `: "${url.host}" answered ${status} and ${wait}`,
      isHostDown: true,
    });
  }

  return new Failure({ ...failure, text, retry: 'backoff' });
}

/** `Retry-After` in both its forms (RFC 9110, section 10.2.3), in milliseconds from now. */
function parseRetryAfter(value = '', now: number): number | undefined {
  if (/^\s*\d+\s*$/.test(value)) {
    return Number(value) * 1_000;
  }

  const instant = parseHttpDate(value);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}

// GitHub answers 403 for a spent limit:
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
function isRateLimited(status: number, headers: HttpHeaders): boolean {
  if (status !== 403 && status !== 429) {
    return false;
  }

  return (
    headers.get('x-ratelimit-remaining') === '0' || (status === 403 && headers.has('retry-after'))
  );
}

function readReset(headers: HttpHeaders, now: number): number | undefined {
  const seconds = Number(headers.get('x-ratelimit-reset'));
  return seconds > 0 ? Math.max(0, seconds * 1_000 - now) : undefined;
}

type Consequence = Partial<Pick<FailureDetails, 'kind' | 'retry' | 'isHostDown' | 'advice'>>;

/** No repeats: an offline machine would wait the full backoff for every host of the run. */
const down: Consequence = { isHostDown: true };
const downIfTwice: Consequence = { retry: 'once', isHostDown: true };
const unknownAuthority: Consequence = {
  ...down,
  advice:
    'If your own certificate authority signed it, name its certificate in NODE_EXTRA_CA_CERTS.',
};
/** A silent host gets one more attempt. */
const once: Consequence = { retry: 'once' };
const backoff: Consequence = { retry: 'backoff' };

interface Explanation extends Consequence {
  text: string;
}

/** The meaning of an error code of undici or node:net, and whether another attempt can help. */
function explainCode(
  { code = '', message }: NodeJS.ErrnoException,
  { host, hostname }: URL,
  { connectMs, headersMs, idleMs, maxHeaderBytes }: HttpLimits,
): Explanation {
  const invalidCertificate = `the certificate of "${host}" is not valid (${code})`;
  const rules: [code: RegExp, Consequence, text: string][] = [
    [/^(ENOTFOUND|EAI_NONAME|EAI_NODATA)$/, down, `host "${hostname}" does not exist (DNS)`],
    [/^EAI_/, down, `host "${hostname}" cannot be looked up (DNS: ${code})`],
    [
      /^(ENET|EHOST)(UNREACH|DOWN)$|^(EADDRNOTAVAIL|EACCES|EPERM)$/,
      down,
      `host "${hostname}" cannot be reached from here (${code})`,
    ],
    [/^ECONNREFUSED$/, downIfTwice, `connection refused by "${host}"`],
    [
      /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
      downIfTwice,
      `no connection to "${host}" in ${formatSeconds(connectMs)}`,
    ],
    [/^UND_ERR_PRX_/, downIfTwice, `the proxy did not connect to "${host}" (${code})`],
    [/^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/, unknownAuthority, invalidCertificate],
    [
      /^(CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/,
      down,
      invalidCertificate,
    ],
    [/^(EPROTO$|ERR_SSL_)/, down, `"${host}" does not speak TLS as expected (${code})`],
    [/^UND_ERR_HEADERS_TIMEOUT$/, once, `no answer in ${formatSeconds(headersMs)}`],
    [/^UND_ERR_BODY_TIMEOUT$/, once, `the answer stopped for ${formatSeconds(idleMs)}`],
    [
      /^(UND_ERR_HEADERS|HPE_HEADER)_OVERFLOW$/,
      { kind: 'limit' },
      `the answer has more than ${maxHeaderBytes} bytes of headers`,
    ],
    [/^HPE_/, backoff, `the answer is not valid HTTP (${code})`],
    [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, backoff, `the connection was cut (${code})`],
  ];

  for (const [pattern, consequence, text] of rules) {
    if (pattern.test(code)) {
      return { ...consequence, text };
    }
  }

  return { ...backoff, text: `the request failed (${code}: ${toLine(message)})` };
}

/** Turns an error of a request into a failure. An error without a code is a bug of this program, and stays as it is. */
export function createNetworkFailure(
  error: unknown,
  url: URL,
  limits: HttpLimits,
  proxies: readonly URL[],
): unknown {
  if (error instanceof Failure) {
    return error;
  }

  const causes = listCauses(error);
  const coded = causes.find(({ code }) => typeof code === 'string');
  const explanation =
    explainLocalAddress(causes) ??
    explainProxyAnswer(causes, url) ??
    (coded && explainCode(coded, url, limits));
  if (!explanation) {
    return error;
  }

  const { advice = '', isHostDown } = explanation;
  const origins = [...new Set(proxies.map(({ origin }) => origin))].join(' and ');
  const proxyAdvice = isHostDown && origins ? `The environment names a proxy, ${origins}.` : '';
  return new Failure({
    kind: 'trouble',
    url,
    cause: error,
    ...explanation,
    text: `: ${explanation.text}`,
    advice: `${advice} ${proxyAdvice}`.trim(),
  });
}

function explainLocalAddress(errors: readonly Error[]): Explanation | undefined {
  const error = errors.find((cause) => cause instanceof LocalAddressError);
  return error && { kind: 'forbidden', text: error.message };
}

/** undici has no code for a proxy's answer to CONNECT, only the text "Proxy response (403) !== 200". */
function explainProxyAnswer([error]: readonly Error[], { host }: URL): Explanation | undefined {
  const form = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;
  const status = form.exec(error?.message ?? '')?.[1];
  if (status === undefined) {
    return undefined;
  }

  const text = `the proxy did not connect to "${host}" (it answered ${status})`;
  return { ...downIfTwice, text };
}

/** The error with its causes. An AggregateError has the failed attempts to connect, of which the first one explains it. */
function listCauses(error: unknown): NodeJS.ErrnoException[] {
  if (!(error instanceof Error)) {
    return [];
  }

  return [error, ...listCauses(error instanceof AggregateError ? error.errors[0] : error.cause)];
}

export function formatSeconds(ms: number): string {
  return `${ms / 1_000} s`;
}
