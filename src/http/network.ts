import { Failure, seconds } from './failure.ts';
import type { HttpLimits } from './limits.ts';

const UNREACHABLE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL']);
const NOT_PERMITTED = new Set(['EACCES', 'EPERM']);
const CERTIFICATE =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/;

/** Sorts the errors of undici and node:net by whether asking again can help. */
export function networkFailure(error: unknown, url: URL, limits: HttpLimits, hasProxy = false): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  // The connection that failed may be the one to the proxy: undici does not say which it was.
  const proxied = hasProxy ? { advice: 'A proxy is set in the environment.' } : {};
  const fail = (text: string, more: { retry: 'backoff' | 'once' | 'never'; isHostDown?: boolean }) =>
    new Failure({
      kind: 'trouble',
      url,
      text: `: ${text}`,
      cause: error,
      ...more,
      ...(more.isHostDown && proxied),
    });
  const down = (text: string) => fail(text, { retry: 'never', isHostDown: true });
  const host = url.hostname;

  if (code === 'ENOTFOUND' || code === 'EAI_NONAME' || code === 'EAI_NODATA') {
    return down(`host "${host}" does not exist (DNS)`);
  }
  // An offline machine answers EAI_AGAIN; waiting for it would cost every host of the run the full backoff.
  if (code.startsWith('EAI_')) return down(`host "${host}" cannot be looked up (DNS: ${code})`);
  if (code === DNS_TIMEOUT) return down(`host "${host}" was not found in ${seconds(limits.dnsMs)} (DNS)`);
  if (UNREACHABLE.has(code)) return down(`host "${host}" cannot be reached from here (${code})`);
  if (NOT_PERMITTED.has(code)) return down(`connecting to "${url.host}" is not permitted here (${code})`);
  if (code === 'ECONNREFUSED') {
    return fail(`connection refused by "${url.host}"`, { retry: 'once', isHostDown: true });
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (code === 'ETIMEDOUT' && isConnecting(error))) {
    return fail(`no connection to "${url.host}" in ${seconds(limits.connectMs)}`, {
      retry: 'once',
      isHostDown: true,
    });
  }
  if (CERTIFICATE.test(code)) return down(`the certificate of "${url.host}" is not valid (${code})`);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return down(`"${url.host}" does not speak TLS as expected (${code})`);
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

/** Our own code for a lookup that took longer than `dnsMs`. */
export const DNS_TIMEOUT = 'DNS_TIMEOUT';

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
