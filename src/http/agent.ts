import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { EnvironmentError } from './error.ts';
import type { HttpLimits } from './limits.ts';

export type ProxyEnv = Readonly<Record<string, string | undefined>>;

export interface Connections {
  agent: Dispatcher;
  /** those that some of the requests go through */
  proxies: readonly URL[];
}

/**
 * The connections of a run. Behind a proxy the target's address is not known here, so that only addresses that are
 * written out in a redirect can be refused.
 */
export function openConnections(limits: HttpLimits, env: ProxyEnv, { lookup }: AddressGuard): Connections {
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
  const httpProxy = proxyUrl(env, ['http_proxy', 'HTTP_PROXY', 'npm_config_proxy']);
  const httpsProxy = proxyUrl(env, ['https_proxy', 'HTTPS_PROXY', 'npm_config_https_proxy']);
  const proxies = [httpProxy, httpsProxy].filter((proxy) => proxy !== undefined);
  if (proxies.length === 0) return { agent: new Agent(options), proxies };
  // undici falls back to process.env for what is undefined, hence the empty strings.
  const agent = new EnvHttpProxyAgent({
    ...options,
    httpProxy: httpProxy?.href ?? '',
    httpsProxy: httpsProxy?.href ?? '',
    noProxy: env['no_proxy'] || env['NO_PROXY'] || env['npm_config_noproxy'] || '',
  });
  return { agent, proxies };
}

/**
 * The first that is set; npm hands its configuration to its scripts in such variables. The value may hold a password, so the
 * `EnvironmentError` for one that is no address does not show it.
 */
function proxyUrl(env: ProxyEnv, names: readonly string[]): URL | undefined {
  const name = names.find((one) => env[one]);
  if (name === undefined) return undefined;
  const value = env[name]!;
  // As with curl, the scheme may be left out.
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new EnvironmentError(name, 'expected the URL of a proxy, such as http://proxy.example:3128');
}
