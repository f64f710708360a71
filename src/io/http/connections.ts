import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { inputError } from '../../core/schemas/finding.ts';
import type { AddressGuard } from './address-guard.ts';
import type { HttpLimits } from './http-run.ts';

export const MAX_HEADER_BYTES = 64 * 1024;

/**
 * The connections and proxies of a run. A proxy resolves names itself, so the guard can only reject addresses that a redirect
 * spells out.
 */
export function openConnections(
  limits: HttpLimits,
  env: NodeJS.ProcessEnv,
  { lookup }: AddressGuard,
): { agent: Dispatcher; proxies: readonly URL[] } {
  // HTTP/1.1 only: tests cover the header limit and the detection of cut bodies for this version.
  const options: Agent.Options = {
    connect: { lookup },
    allowH2: false,
    autoSelectFamily: true,
    connectTimeout: limits.connectMs,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  };

  const httpProxy = readProxyUrl(env, 'http_proxy');
  const httpsProxy = readProxyUrl(env, 'https_proxy');
  const proxies = [httpProxy, httpsProxy].filter((proxy) => proxy !== undefined);
  if (proxies.length === 0) {
    return { agent: new Agent(options), proxies };
  }

  // An empty string stops undici from falling back to process.env.
  const agent = new EnvHttpProxyAgent({
    ...options,
    httpProxy: httpProxy?.href ?? '',
    httpsProxy: httpsProxy?.href ?? '',
    noProxy: env['no_proxy'] || env['NO_PROXY'] || '',
  });
  return { agent, proxies };
}

/** The variable in small letters precedes that in capitals. The `InputError` for an invalid URL omits it: it may hold a password. */
function readProxyUrl(env: NodeJS.ProcessEnv, variable: string): URL | undefined {
  for (const name of [variable, variable.toUpperCase()]) {
    const value = env[name];
    if (value) {
      // As in curl, the scheme is optional.
      const url = URL.parse(value.includes('://') ? value : `http://${value}`);
      if (url?.protocol === 'http:' || url?.protocol === 'https:') {
        return url;
      }

      throw inputError(name, 'expected the URL of a proxy, such as http://proxy.example:3128');
    }
  }

  return undefined;
}
