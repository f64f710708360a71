/** The limits, connections, credentials, queues and answers that all requests of a run share. */
import { Agent, EnvHttpProxyAgent } from 'undici';
import { inputError } from '../../core/schemas/finding.ts';
import {
  createAddressGuard,
  systemAddresses,
  type AddressBook,
  type AddressGuard,
} from './address-guard.ts';
import type { AnswerStore, HttpAnswer } from './answer-store.ts';
import { createBearerTokens } from './bearer-tokens.ts';
import { readOwnCredentials, type CredentialSources } from './credentials.ts';
import { createHosts, systemClock, type Clock } from './hosts.ts';

/** Times in milliseconds, sizes in bytes. */
export const defaultLimits = {
  /** Resolving, connecting and the TLS handshake together. */
  connectMs: 8_000,
  /** From sending the request to receiving all headers. */
  headersMs: 30_000,
  /** Between two pieces of a body. */
  idleMs: 15_000,
  /** One request with its whole body. */
  totalMs: 65_000,
  /** A host without one complete answer for so long, repeats included, is unreachable. */
  silentMs: 70_000,
  maxHeaderBytes: 64 * 1024,
  /** The unpacked body: npm's documents can have 60 MB. A request may set its own limit. */
  maxBytes: 64 * 1024 * 1024,
  /** Repeats after the first attempt. */
  maxRetries: 3,
};

export type HttpLimits = Readonly<typeof defaultLimits>;

/** `env` also holds HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export interface HttpOptions extends CredentialSources {
  /** The address of the project, which each request names for complaints. */
  repositoryUrl: string;
  /** Stops the whole run. */
  signal?: AbortSignal | undefined;
  /** Answers of earlier runs; without it no request is conditional. */
  answerStore?: AnswerStore | undefined;
  limits?: Partial<HttpLimits> | undefined;
  clock?: Partial<Clock> | undefined;
  addresses?: Partial<AddressBook> | undefined;
  /** Hosts that may be asked over plain http. */
  plainHttpHosts?: readonly string[] | undefined;
}

export type HttpRun = ReturnType<typeof openRun>;

/** `signal`: stops the run, at its regular end, too. */
export function openRun(options: HttpOptions, signal: AbortSignal) {
  const limits = { ...defaultLimits, ...options.limits };
  const clock = { ...systemClock, ...options.clock };
  const addresses = { ...systemAddresses, ...options.addresses };
  const guard = createAddressGuard(addresses, options.plainHttpHosts);

  return {
    ...openConnections(limits, options.env ?? {}, guard),
    userAgent: `release-index (+${options.repositoryUrl})`,
    credentials: readOwnCredentials(options),
    bearer: createBearerTokens(),
    guard,
    hosts: createHosts(clock),
    limits,
    clock,
    signal,
    answerStore: options.answerStore,
    /** By the key of the request. */
    answers: new Map<string, Promise<HttpAnswer>>(),
    /** `requests` includes redirects and repeats; `latestDate` is the latest instant in a `Date` header, in milliseconds. */
    counts: { requests: 0 } as { requests: number; latestDate?: number },
  };
}

/** The connections, and the proxies for some or all requests. A proxy resolves names itself, so the guard can only reject addresses that a redirect spells out. */
function openConnections(limits: HttpLimits, env: NodeJS.ProcessEnv, { lookup }: AddressGuard) {
  // HTTP/1.1 only: tests cover the header limit and the detection of cut bodies for this version.
  const options: Agent.Options = {
    connect: { lookup },
    allowH2: false,
    autoSelectFamily: true,
    connectTimeout: limits.connectMs,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.maxHeaderBytes,
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
