import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { type AddressBook, guardedLookup, isLocalhost, literalAddress, timedLookup } from './address.ts';
import type { HttpLimits } from './limits.ts';

export interface Dispatchers {
  /** goes wherever the definition's author sends it */
  open: Dispatcher;
  /** for what a public host redirected to: connects to public addresses only */
  guarded: Dispatcher;
  /** whether requests to this URL leave the machine's own networks, as far as is known by now */
  isPublic(url: URL): boolean;
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
  const httpProxy = env['http_proxy'] || env['HTTP_PROXY'] || '';
  const httpsProxy = env['https_proxy'] || env['HTTPS_PROXY'] || '';
  if (!httpProxy && !httpsProxy) return new Agent(options);
  // undici falls back to process.env for what is undefined, hence the empty strings.
  const noProxy = env['no_proxy'] || env['NO_PROXY'] || '';
  return new EnvHttpProxyAgent({ ...options, httpProxy, httpsProxy, noProxy });
}
