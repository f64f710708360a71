import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { InputError, problem } from '../../core/schemas/finding.ts';
import type { AddressGuard } from './address-guard.ts';

export const MAX_HEADER_BYTES = 64 * 1024;

/**
 * The connections of a run, and the proxies that some of its requests go through. Behind a proxy the target's address is not
 * known here, so that only addresses written out in a redirect can be rejected.
 */
export function openConnections(
  limits: HttpLimits,
  env: NodeJS.ProcessEnv,
  { lookup }: AddressGuard,
): { agent: Dispatcher; proxies: readonly URL[] } {
  // HTTP/1.1 only: the limit on headers and the detection of cut bodies are tested for that.
  const options: Agent.Options = {
    connect: { lookup, timeout: limits.connectMs, allowH2: false, autoSelectFamily: true },
    allowH2: false,
    connectTimeout: limits.connectMs,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const httpProxy = proxyUrl(env, ['http_proxy', 'HTTP_PROXY']);
  const httpsProxy = proxyUrl(env, ['https_proxy', 'HTTPS_PROXY']);
  const proxies = [httpProxy, httpsProxy].filter((proxy) => proxy !== undefined);
  if (proxies.length === 0) return { agent: new Agent(options), proxies };
  // undici falls back to process.env for what is undefined, hence the empty strings.
  const agent = new EnvHttpProxyAgent({
    ...options,
    httpProxy: httpProxy?.href ?? '',
    httpsProxy: httpsProxy?.href ?? '',
    noProxy: env['no_proxy'] || env['NO_PROXY'] || '',
  });
  return { agent, proxies };
}

/** The first that is set. It may hold a password, so the `InputError` for an invalid one does not show it. */
function proxyUrl(env: NodeJS.ProcessEnv, names: readonly string[]): URL | undefined {
  const name = names.find((one) => env[one]);
  const value = name === undefined ? undefined : env[name];
  if (name === undefined || value === undefined) return undefined;
  // As with curl, the scheme may be left out.
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new InputError([problem(name, 'expected the URL of a proxy, such as http://proxy.example:3128')]);
}

/** The bounds of the client that callers set. Times in milliseconds, sizes in bytes. */
export const defaultLimits = {
  /** resolving, connecting and the TLS handshake together */
  connectMs: 8_000,
  /** from the request sent to the complete headers of the answer */
  headersMs: 30_000,
  /** between two pieces of a body */
  idleMs: 15_000,
  /** one request with its whole body */
  totalMs: 65_000,
  /** a host may give no whole answer, with repeats; then it counts as unreachable */
  silentMs: 70_000,
  /** a body once unpacked: npm's documents can have 60 MB. A request may name its own bound */
  maxBytes: 64 * 1024 * 1024,
  /** repeats after the first attempt */
  maxRetries: 3,
};

export type HttpLimits = Readonly<typeof defaultLimits>;
