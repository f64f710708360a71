import { Failure, type FailureDetails, seconds } from './failure.ts';
import type { HttpLimits } from './limits.ts';

interface Cause {
  code: string;
  host: string;
  hostname: string;
  limits: HttpLimits;
}

type Consequence = Pick<FailureDetails, 'retry' | 'isHostDown' | 'advice'>;

/** No attempt helps: an offline machine would pay the full backoff for every host of the run. */
const down: Consequence = { retry: 'never', isHostDown: true };
const downIfTwice: Consequence = { retry: 'once', isHostDown: true };
const untrusted: Consequence = {
  ...down,
  advice: 'If an authority of your own signed it, name its certificate in NODE_EXTRA_CA_CERTS.',
};
/** A host that was silent for so long gets one more attempt and no longer. */
const once: Consequence = { retry: 'once' };
const backoff: Consequence = { retry: 'backoff' };

/** The errors of undici and node:net by code, and whether another attempt can help. The first that matches counts. */
const rules: readonly [code: RegExp, Consequence, text: (cause: Cause) => string][] = [
  [/^(ENOTFOUND|EAI_NONAME|EAI_NODATA)$/, down, (at) => `host "${at.hostname}" does not exist (DNS)`],
  [/^EAI_/, down, (at) => `host "${at.hostname}" cannot be looked up (DNS: ${at.code})`],
  [
    /^(ENET|EHOST)(UNREACH|DOWN)$|^(EADDRNOTAVAIL|EACCES|EPERM)$/,
    down,
    (at) => `host "${at.hostname}" cannot be reached from here (${at.code})`,
  ],
  [/^ECONNREFUSED$/, downIfTwice, (at) => `connection refused by "${at.host}"`],
  [
    /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    downIfTwice,
    (at) => `no connection to "${at.host}" in ${seconds(at.limits.connectMs)}`,
  ],
  [
    /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/,
    untrusted,
    (at) => `the certificate of "${at.host}" is not valid (${at.code})`,
  ],
  [/^(EPROTO$|ERR_SSL_)/, down, (at) => `"${at.host}" does not speak TLS as expected (${at.code})`],
  [/^UND_ERR_HEADERS_TIMEOUT$/, once, (at) => `no answer in ${seconds(at.limits.headersMs)}`],
  [/^UND_ERR_BODY_TIMEOUT$/, once, (at) => `the answer stopped for ${seconds(at.limits.idleMs)}`],
  [/^HPE_/, backoff, (at) => `the answer is not valid HTTP (${at.code})`],
  [/^/, backoff, (at) => `the connection was cut (${at.code || 'no reason given'})`],
];

export function networkFailure(
  error: unknown,
  url: URL,
  limits: HttpLimits,
  proxies: readonly URL[] = [],
): Failure {
  if (error instanceof Failure) return error;
  const base = { kind: 'trouble' as const, url, cause: error };
  const errors = errorsIn(error);
  const code = errors.map((one) => one.code).find((one) => typeof one === 'string') ?? '';
  // The message alone always names the failed connection, by the name of the host or by an address of it.
  const proxy = proxies.find(({ hostname, port, protocol }) => {
    const at = `:${port || (protocol === 'https:' ? '443' : '80')}`;
    return errors.some(({ message }) => message.includes(hostname) || message.includes(at));
  });
  const origins = [...new Set(proxies.map(({ origin }) => origin))].join(' and ');
  const ofProxy = proxy
    ? `It is the proxy of the environment, ${proxy.origin}.`
    : `The environment names a proxy, ${origins}.`;

  // undici has no code of its own for the answer of a proxy to CONNECT.
  const refusal = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(errors[0]?.message ?? '');
  if (refusal || code.startsWith('UND_ERR_PRX_')) {
    const reason = refusal ? `it answered ${refusal[1]}` : code;
    const text = `: the proxy did not connect to "${url.host}" (${reason})`;
    return new Failure({ ...base, ...downIfTwice, text, advice: ofProxy });
  }
  const [, { advice, ...consequence }, text] = rules.find(([pattern]) => pattern.test(code))!;
  const { host, hostname } = proxy ?? url;
  const advices = [advice, consequence.isHostDown && proxies.length > 0 ? ofProxy : undefined];
  return new Failure({
    ...base,
    ...consequence,
    text: `: ${text({ code, host, hostname, limits })}`,
    advice: advices.filter((one) => one !== undefined).join(' '),
  });
}

/** The error with its causes; of several attempts to connect, the first. */
function errorsIn(error: unknown): NodeJS.ErrnoException[] {
  if (!(error instanceof Error)) return [];
  return [error, ...errorsIn(error instanceof AggregateError ? error.errors[0] : error.cause)];
}
