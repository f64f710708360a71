import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import {
  type AddressBook,
  guardedLookup,
  isLocalhost,
  literalAddress,
  timedLookup,
} from './address-guard.ts';
import { EnvironmentError } from './error.ts';
import type { HttpLimits } from './limits.ts';

export interface Dispatchers {
  /** goes wherever the definition's author sends it */
  open: Dispatcher;
  /** for what a public host redirected to: connects to public addresses only */
  guarded: Dispatcher;
  /** whether requests to this URL leave the machine's own networks, as far as is known by now */
  isPublic(url: URL): boolean;
  /** some requests go through a proxy */
  hasProxy: boolean;
  /** drops all connections */
  destroy(): Promise<void>;
}

export type ProxyEnv = Readonly<Record<string, string | undefined>>;

/**
 * Behind a proxy the target's address is not known here; then a host counts as public unless its name says
 * otherwise, and only literal addresses in redirects can be refused.
 */
export function createDispatchers(limits: HttpLimits, env: ProxyEnv, addresses: AddressBook): Dispatchers {
  const publicOrigins = new Map<string, boolean>();
  const lookup = timedLookup(addresses.lookup, limits.dnsMs);
  const open = createAgent(limits, env, noting(connector(lookup)));
  const guarded = createAgent(limits, env, connector(guardedLookup(lookup, addresses.isPublic)));

  return {
    open,
    guarded,
    hasProxy: open instanceof EnvHttpProxyAgent,
    isPublic(url) {
      const literal = literalAddress(url);
      if (literal !== undefined) return addresses.isPublic(literal);
      return publicOrigins.get(url.origin) ?? !isLocalhost(url);
    },
    async destroy() {
      await Promise.all([open.destroy(), guarded.destroy()]);
    },
  };

  function connector(find: typeof lookup): buildConnector.connector {
    return buildConnector({
      lookup: find,
      timeout: limits.connectMs,
      allowH2: false,
      autoSelectFamily: true,
    });
  }

  function noting(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      connect(options, (...result) => {
        const [error, socket] = result;
        const address = error ? undefined : socket.remoteAddress;
        if (address !== undefined) note(`${options.protocol}//${options.host}`, address);
        callback(...result);
      });
    };
  }

  // One public connection is enough to distrust the host's redirects from then on.
  function note(origin: string, address: string): void {
    publicOrigins.set(origin, publicOrigins.get(origin) === true || addresses.isPublic(address));
  }
}

function createAgent(limits: HttpLimits, env: ProxyEnv, connect: buildConnector.connector): Dispatcher {
  // HTTP/1.1 only: the limits on headers, and cut bodies being noticed, are checked for that.
  const options: Agent.Options = {
    connect,
    allowH2: false,
    connections: limits.perHost,
    connectTimeout: limits.connectMs,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.maxHeaderBytes,
  };
  const httpProxy = proxyUrl(env, 'HTTP_PROXY');
  const httpsProxy = proxyUrl(env, 'HTTPS_PROXY');
  if (!httpProxy && !httpsProxy) return new Agent(options);
  // undici falls back to process.env for what is undefined, hence the empty strings.
  const noProxy = env['no_proxy'] || env['NO_PROXY'] || '';
  return new EnvHttpProxyAgent({ ...options, httpProxy, httpsProxy, noProxy });
}

/** Throws an `EnvironmentError` for a value that is no address; it may hold a password, so it is not shown. */
function proxyUrl(env: ProxyEnv, name: string): string {
  const value = env[name.toLowerCase()] || env[name] || '';
  if (value === '') return '';
  // As with curl, the scheme may be left out.
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  throw new EnvironmentError(name, 'expected the URL of a proxy, such as http://proxy.example:3128');
}
