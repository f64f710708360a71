import { Failure, seconds } from './failure.ts';
import type { HttpLimits } from './limits.ts';

const UNREACHABLE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL']);
const NOT_PERMITTED = new Set(['EACCES', 'EPERM']);
const CERTIFICATE =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/;

/** Sorts the errors of undici and node:net by whether asking again can help. */
export function networkFailure(
  error: unknown,
  url: URL,
  limits: HttpLimits,
  proxies: readonly URL[] = [],
): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  const proxy = proxies.find((one) => isAbout(error, one));
  const { host, hostname } = proxy ?? url;
  const named = [...new Set(proxies.map((one) => one.origin))].join(' and ');
  const isProxy =
    proxy && `It is the proxy that the environment or npm's configuration names, ${proxy.origin}.`;
  const advice = isProxy ?? `The environment or npm's configuration names a proxy, ${named}.`;
  const fail = (
    text: string,
    { remedy, ...more }: { retry: 'backoff' | 'once' | 'never'; isHostDown?: boolean; remedy?: string },
  ) => {
    const known = more.isHostDown && proxies.length > 0 ? [advice] : [];
    const remedies = [...(remedy === undefined ? [] : [remedy]), ...known].join(' ');
    return new Failure({
      kind: 'trouble',
      url,
      text: `: ${text}`,
      cause: error,
      ...more,
      ...(remedies !== '' && { advice: remedies }),
    });
  };
  const down = (text: string, remedy?: string) =>
    fail(text, { retry: 'never', isHostDown: true, ...(remedy !== undefined && { remedy }) });

  if (code === 'ENOTFOUND' || code === 'EAI_NONAME' || code === 'EAI_NODATA') {
    return down(`host "${hostname}" does not exist (DNS)`);
  }
  // An offline machine answers EAI_AGAIN; waiting for it would cost every host of the run the full backoff.
  if (code.startsWith('EAI_')) return down(`host "${hostname}" cannot be looked up (DNS: ${code})`);
  if (code === DNS_TIMEOUT) return down(`host "${hostname}" was not found in ${seconds(limits.dnsMs)} (DNS)`);
  if (UNREACHABLE.has(code)) return down(`host "${hostname}" cannot be reached from here (${code})`);
  if (NOT_PERMITTED.has(code)) return down(`connecting to "${host}" is not permitted here (${code})`);
  if (code === 'ECONNREFUSED') {
    return fail(`connection refused by "${host}"`, { retry: 'once', isHostDown: true });
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (code === 'ETIMEDOUT' && isConnecting(error))) {
    return fail(`no connection to "${host}" in ${seconds(limits.connectMs)}`, {
      retry: 'once',
      isHostDown: true,
    });
  }
  if (CERTIFICATE.test(code)) return down(`the certificate of "${host}" is not valid (${code})`, trustYours);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return down(`"${host}" does not speak TLS as expected (${code})`);
  }
  const proxySays = proxyRefusal(error);
  if (proxySays || code.startsWith('UND_ERR_PRX_')) {
    const text = `the proxy did not connect to "${url.host}" (${proxySays ?? code})`;
    return fail(text, { retry: 'once', isHostDown: true });
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    const text = ` answered with more than ${limits.maxHeaderBytes} bytes of headers`;
    return new Failure({ kind: 'limit', url, text, retry: 'never', cause: error });
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    // Whoever kept us waiting that long is asked once more and no longer.
    return fail(`no answer in ${seconds(limits.headersMs)}`, { retry: 'once' });
  }
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return fail(`the answer stopped for ${seconds(limits.idleMs)}`, { retry: 'once' });
  }
  if (code.startsWith('HPE_')) return fail(`the answer is not sound HTTP (${code})`, { retry: 'backoff' });
  return fail(`the connection was cut (${code || 'no reason given'})`, { retry: 'backoff' });
}

const trustYours =
  "If it is signed by an authority of your own, name that: NODE_EXTRA_CA_CERTS, or cafile in npm's configuration.";

/** Our own code for a lookup that took longer than `dnsMs`. */
export const DNS_TIMEOUT = 'DNS_TIMEOUT';

/** Whether the connection that failed was the one to this host. Only some errors of connecting tell. */
function isAbout(error: unknown, proxy: URL): boolean {
  if (!(error instanceof Error)) return false;
  const { hostname, port, protocol } = proxy;
  const at = port || (protocol === 'https:' ? '443' : '80');
  const { address, port: failedPort, hostname: failedName } = error as NodeError;
  if (failedName === hostname || (address !== undefined && String(failedPort) === at)) return true;
  // undici names whom it did not reach in time in the message alone.
  if (error.message.includes(`${hostname}:${at}`)) return true;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner !== undefined && isAbout(inner, proxy);
}

interface NodeError extends Error {
  address?: string;
  port?: number;
  hostname?: string;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? '' : codeOf(error.cause);
}

function isConnecting(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
}

// undici has no code of its own for what a proxy answers to CONNECT, or for its 407.
function proxyRefusal(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  const code = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message)?.[1];
  return code && `it answered ${code}`;
}
