import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { EnvironmentError } from './error.ts';
import type { HttpLimits } from './limits.ts';

export type ProxyEnv = Readonly<Record<string, string | undefined>>;

/**
 * The connections of a run. Behind a proxy the target's address is not known here, so that only addresses that are
 * written out in a redirect can be refused.
 */
export function createAgent(limits: HttpLimits, env: ProxyEnv, { lookup }: AddressGuard): Dispatcher {
  // HTTP/1.1 only: the limit on headers and the detection of cut bodies are tested for that.
  const options: Agent.Options = {
    connect: { lookup, timeout: limits.connectMs, allowH2: false, autoSelectFamily: true },
    allowH2: false,
    connections: limits.perHost,
    connectTimeout: limits.connectMs,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.maxHeaderBytes,
    maxResponseSize: limits.maxTransferBytes,
  };
  const httpProxy = proxyUrl(env, 'HTTP_PROXY');
  const httpsProxy = proxyUrl(env, 'HTTPS_PROXY');
  if (!httpProxy && !httpsProxy) return new Agent(options);
  // undici falls back to process.env for what is undefined, hence the empty strings.
  const noProxy = env['no_proxy'] || env['NO_PROXY'] || '';
  return new EnvHttpProxyAgent({ ...options, httpProxy, httpsProxy, noProxy });
}

/** The value may hold a password, so the `EnvironmentError` for one that is no address does not show it. */
function proxyUrl(env: ProxyEnv, name: string): string {
  const value = env[name.toLowerCase()] || env[name] || '';
  if (value === '') return '';
  // As with curl, the scheme may be left out.
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  throw new EnvironmentError(name, 'expected the URL of a proxy, such as http://proxy.example:3128');
}
