/** Finds the proxy that made a request fail, because Node's message names neither the proxy nor its environment variable. */
import type { Pool } from 'undici';

/** Marks an error that happened on a connection to a proxy. */
const failedAtProxy = Symbol('failed at a proxy');

/** Returns options for undici's `EnvHttpProxyAgent` that mark errors of connections to proxies. `NewPool`: undici's class `Pool`. */
export function createProxyOptions(NewPool: typeof Pool) {
  const openMarked = (origin: string | URL, options: object): Pool => {
    const { connect } = options as Pool.Options;
    if (typeof connect !== 'function') {
      return new NewPool(origin, options);
    }

    const marked: typeof connect = (target, callback) => {
      connect(target, (...[error, socket]) => {
        if (error) {
          callback(Object.assign(error, { [failedAtProxy]: true }), null);
        } else {
          callback(null, socket);
        }
      });
    };
    return new NewPool(origin, { ...options, connect: marked });
  };
  return {
    /** Opens connections to a proxy for https requests. */
    clientFactory: openMarked,
    /** Opens connections to a proxy for plain http requests, and all connections without a proxy. */
    factory: (origin: string | URL, options: object): Pool =>
      isProxy(origin) ? openMarked(origin, options) : new NewPool(origin, options),
  };
}

const variables = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY'],
};

/** Finds the environment variable with the proxy for a protocol, in the same order as undici. */
function findProxy(protocol: string): { name: string; host: string } | undefined {
  const names = variables[protocol === 'https:' ? 'https:' : 'http:'];
  const name = names.find((each) => process.env[each]);
  const host = name && URL.parse(process.env[name]!)?.host;
  return name && host ? { name, host } : undefined;
}

function isProxy(origin: string | URL): boolean {
  const { host } = new URL(origin);
  return ['https:', 'http:'].some((protocol) => findProxy(protocol)?.host === host);
}

interface ProxyFault {
  /** The proxy in words: `the proxy of HTTPS_PROXY (proxy.example.com:3128)`. */
  proxy: string;
  host: string;
  /** The HTTP status of the answer from the proxy. Undefined if the proxy cannot be reached. */
  status?: number | undefined;
  /** What to do about status 407, as the end of a sentence. */
  advice?: string | undefined;
}

/** Finds the proxy that made a request fail. Undefined if no proxy is at fault. */
export function findProxyFault(error: unknown, url: string | URL): ProxyFault | undefined {
  const { message = '' } = error as Partial<Error>;
  const form = /^Proxy (?:response|Authentication Required) \((\d+)\)/;
  const [, status] = form.exec(message) ?? [];
  const found = findProxy(new URL(url).protocol);
  if (!found || !(status || failedAtProxy in (error as object))) {
    return undefined;
  }

  const { name, host } = found;
  const advice = status === '407' ? `. Correct the user and password in ${name}` : undefined;
  return {
    proxy: `the proxy of ${name} (${host})`,
    host,
    status: status ? Number(status) : undefined,
    advice,
  };
}

/** Describes a proxy's fault in a sentence. `reason`: why the proxy cannot be reached. */
export function describeFault({ proxy, status, advice = '' }: ProxyFault, reason: string): string {
  return status === undefined
    ? `${proxy} cannot be reached: ${reason}`
    : `${proxy} answered ${status}${advice}`;
}
