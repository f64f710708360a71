import { LocalAddressError } from './address-guard.ts';
import { MAX_HEADER_BYTES } from './connections.ts';
import type { HttpLimits } from './http-run.ts';
import {
  Failure,
  formatSeconds,
  type FailureDetails,
  type HttpErrorKind,
  type HttpHeaders,
} from './error.ts';
import type { Reply } from './request.ts';

const TEMPORARY = new Set([408, 425, 429]);
const FINAL_KINDS = new Map<number, HttpErrorKind>([
  [403, 'refused'],
  [404, 'absent'],
  [407, 'refused'],
  [410, 'absent'],
  [451, 'refused'],
]);
/** A run does not wait for a host that asks for more. */
const MAX_RETRY_AFTER_MS = 60_000;

/** The failure for a status other than 200 and 401. */
export function createStatusFailure(reply: Reply, now: number): Failure {
  const { url, status, headers } = reply;
  if (isRateLimited(status, headers) || TEMPORARY.has(status) || status >= 500) {
    return createTemporaryFailure(reply, now);
  }

  const kind = FINAL_KINDS.get(status) ?? 'content';
  const text = ` answered ${status}${kind === 'content' ? ', expected 200' : ''}`;
  return new Failure({ kind, url, status, text });
}

/** A failure that passes with time. */
function createTemporaryFailure({ url, status, headers }: Reply, now: number): Failure {
  const isSpent = isRateLimited(status, headers);
  const advice = isSpent ? 'The limit on requests is used up; a token raises it.' : undefined;
  const retryAfterMs =
    parseRetryAfter(headers.get('retry-after'), now) ??
    (isSpent ? readReset(headers, now) : undefined);

  const failure = { kind: 'trouble', url, status, advice, retryAfterMs } as const;
  const text = ` answered ${status}`;
  if (retryAfterMs === undefined || retryAfterMs <= MAX_RETRY_AFTER_MS) {
    return new Failure({ ...failure, text, retry: 'backoff' });
  }

  const limit = formatSeconds(MAX_RETRY_AFTER_MS);
  return new Failure({
    ...failure,
    text: `${text} and asks to wait longer than the ${limit} we wait`,
  });
}

/** `Retry-After` in both its forms (RFC 9110, section 10.2.3), in milliseconds from now. */
function parseRetryAfter(value = '', now: number): number | undefined {
  if (/^\s*\d+\s*$/.test(value)) {
    return Number(value) * 1_000;
  }

  const instant = Date.parse(value);
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

type Consequence = Pick<FailureDetails, 'retry' | 'isHostDown' | 'advice'>;

/** No repeats: an offline machine would wait the full backoff for every host of the run. */
const down: Consequence = { retry: 'never', isHostDown: true };
const downIfTwice: Consequence = { retry: 'once', isHostDown: true };
const untrusted: Consequence = {
  ...down,
  advice:
    'If your own certificate authority signed it, name its certificate in NODE_EXTRA_CA_CERTS.',
};
/** A silent host gets one more attempt. */
const once: Consequence = { retry: 'once' };
const backoff: Consequence = { retry: 'backoff' };

/** The meaning of an error code of undici or node:net, and whether another attempt can help. */
function explainCode(
  code: string,
  { host, hostname }: URL,
  { connectMs, headersMs, idleMs }: HttpLimits,
): Consequence & { text: string } {
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
    [
      /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/,
      untrusted,
      `the certificate of "${host}" is not valid (${code})`,
    ],
    [/^(EPROTO$|ERR_SSL_)/, down, `"${host}" does not speak TLS as expected (${code})`],
    [/^UND_ERR_HEADERS_TIMEOUT$/, once, `no answer in ${formatSeconds(headersMs)}`],
    [/^UND_ERR_BODY_TIMEOUT$/, once, `the answer stopped for ${formatSeconds(idleMs)}`],
    [/^HPE_/, backoff, `the answer is not valid HTTP (${code})`],
  ];

  for (const [pattern, consequence, text] of rules) {
    if (pattern.test(code)) {
      return { ...consequence, text };
    }
  }

  return { ...backoff, text: `the connection was cut (${code || 'no reason given'})` };
}

/** Turns an error of a request into a failure. */
export function createNetworkFailure(
  error: unknown,
  url: URL,
  limits: HttpLimits,
  proxies: readonly URL[],
): Failure {
  if (error instanceof Failure) {
    return error;
  }

  const explanation = explainErrors(listCauses(error), url, limits, proxies);
  return new Failure({ kind: 'trouble', url, cause: error, ...explanation });
}

function explainErrors(
  errors: readonly NodeJS.ErrnoException[],
  url: URL,
  limits: HttpLimits,
  proxies: readonly URL[],
): Partial<FailureDetails> & { text: string } {
  const localError = errors.find((error) => error instanceof LocalAddressError);
  if (localError) {
    const addresses = localError.addresses.join(', ');
    const text = `: the host leads to ${addresses}, an address in a local network`;
    return { kind: 'forbidden', text };
  }

  const code = errors.find((error) => typeof error.code === 'string')?.code ?? '';
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    const text = ` answered with more than ${MAX_HEADER_BYTES} bytes of headers`;
    return { kind: 'limit', text };
  }

  const origins = [...new Set(proxies.map(({ origin }) => origin))].join(' and ');
  const proxyAdvice = `The environment names a proxy, ${origins}.`;

  // undici has no code for a proxy's answer to CONNECT, only the text "Proxy response (403) !== 200".
  const proxyStatus = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(
    errors[0]?.message ?? '',
  )?.[1];
  if (proxyStatus !== undefined || code.startsWith('UND_ERR_PRX_')) {
    const reason = proxyStatus === undefined ? code : `it answered ${proxyStatus}`;
    const text = `: the proxy did not connect to "${url.host}" (${reason})`;
    return { ...downIfTwice, text, advice: proxyAdvice };
  }

  const { text, advice, ...consequence } = explainCode(code, url, limits);
  const advices = advice === undefined ? [] : [advice];
  if (consequence.isHostDown && proxies.length > 0) {
    advices.push(proxyAdvice);
  }

  return { ...consequence, text: `: ${text}`, advice: advices.join(' ') };
}

/** The error with its causes. An AggregateError has the failed attempts to connect, of which the first one explains it. */
function listCauses(error: unknown): NodeJS.ErrnoException[] {
  if (!(error instanceof Error)) {
    return [];
  }

  return [error, ...listCauses(error instanceof AggregateError ? error.errors[0] : error.cause)];
}
