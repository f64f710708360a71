import { Failure, type FailureDetails, seconds } from './failure.ts';
import type { HttpLimits } from './limits.ts';

interface Cause {
  code: string;
  host: string;
  hostname: string;
  limits: HttpLimits;
}

type Rule = Pick<FailureDetails, 'retry' | 'isHostDown' | 'advice'> & {
  code: RegExp;
  text(cause: Cause): string;
};

/** No attempt helps: an offline machine would pay the full backoff for every host of the run. */
const down = { retry: 'never', isHostDown: true } as const;
const downIfTwice = { retry: 'once', isHostDown: true } as const;

/** The errors of undici and node:net, by whether another attempt can help. The first rule that matches counts. */
const rules: readonly Rule[] = [
  {
    code: /^(ENOTFOUND|EAI_NONAME|EAI_NODATA)$/,
    ...down,
    text: ({ hostname }) => `host "${hostname}" does not exist (DNS)`,
  },
  {
    code: /^EAI_/,
    ...down,
    text: ({ hostname, code }) => `host "${hostname}" cannot be looked up (DNS: ${code})`,
  },
  {
    code: /^(ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/,
    ...down,
    text: ({ hostname, code }) => `host "${hostname}" cannot be reached from here (${code})`,
  },
  {
    code: /^(EACCES|EPERM)$/,
    ...down,
    text: ({ host, code }) => `connecting to "${host}" is not permitted here (${code})`,
  },
  { code: /^ECONNREFUSED$/, ...downIfTwice, text: ({ host }) => `connection refused by "${host}"` },
  {
    code: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    ...downIfTwice,
    text: ({ host, limits }) => `no connection to "${host}" in ${seconds(limits.connectMs)}`,
  },
  {
    code: /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/,
    ...down,
    text: ({ host, code }) => `the certificate of "${host}" is not valid (${code})`,
    advice:
      "If it is signed by an authority of your own, name that: NODE_EXTRA_CA_CERTS, or cafile in npm's configuration.",
  },
  {
    code: /^(EPROTO$|ERR_SSL_)/,
    ...down,
    text: ({ host, code }) => `"${host}" does not speak TLS as expected (${code})`,
  },
  // A host that was silent for so long gets one more attempt and no longer.
  {
    code: /^UND_ERR_HEADERS_TIMEOUT$/,
    retry: 'once',
    text: ({ limits }) => `no answer in ${seconds(limits.headersMs)}`,
  },
  {
    code: /^UND_ERR_BODY_TIMEOUT$/,
    retry: 'once',
    text: ({ limits }) => `the answer stopped for ${seconds(limits.idleMs)}`,
  },
  { code: /^HPE_/, retry: 'backoff', text: ({ code }) => `the answer is not valid HTTP (${code})` },
  {
    code: /^/,
    retry: 'backoff',
    text: ({ code }) => `the connection was cut (${code || 'no reason given'})`,
  },
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
    ? `It is the proxy that the environment or npm's configuration names, ${proxy.origin}.`
    : `The environment or npm's configuration names a proxy, ${origins}.`;

  // undici has no code of its own for the answer of a proxy to CONNECT.
  const refusal = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(errors[0]?.message ?? '');
  if (refusal || code.startsWith('UND_ERR_PRX_')) {
    const reason = refusal ? `it answered ${refusal[1]}` : code;
    const text = `: the proxy did not connect to "${url.host}" (${reason})`;
    return new Failure({ ...base, ...downIfTwice, text, advice: ofProxy });
  }
  const { text, advice, code: _, ...rest } = rules.find((rule) => rule.code.test(code))!;
  const { host, hostname } = proxy ?? url;
  const advices = [advice, rest.isHostDown && proxies.length > 0 ? ofProxy : undefined];
  return new Failure({
    ...base,
    ...rest,
    text: `: ${text({ code, host, hostname, limits })}`,
    advice: advices.filter((one) => one !== undefined).join(' '),
  });
}

/** The error with its causes; of several attempts to connect, the first. */
function errorsIn(error: unknown): NodeJS.ErrnoException[] {
  if (!(error instanceof Error)) return [];
  return [error, ...errorsIn(error instanceof AggregateError ? error.errors[0] : error.cause)];
}
