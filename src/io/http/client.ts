import { createAddressGuard, systemAddresses, type AddressBook } from './address-guard.ts';
import {
  decodeJson,
  decodeText,
  isIntact,
  keyOf,
  packBody,
  parseUrl,
  unpackBody,
  type Answer,
  type HttpRequest,
} from './messages.ts';
import { createBearerTokens } from './bearer-tokens.ts';
import { defaultLimits, openConnections, type HttpLimits } from './connections.ts';
import type { HttpHeaders } from './error.ts';
import { fetchDocument } from './fetch-document.ts';
import { createHosts, systemClock, withRetries, type Clock } from './scheduling.ts';
import { noNpmConfig, type NpmConfig } from './npm-config.ts';
import { readOwnCredentials } from './own-credentials.ts';
import type { Run } from './send-request.ts';
import type { StoredAnswer, ValidatorStore } from './validators.ts';

export interface HttpOptions {
  /** names the project and its address */
  userAgent: string;
  /** stops the whole run */
  signal?: AbortSignal | undefined;
  /** bearer tokens by origin ("https://api.github.com"): sent to that origin only, and not after a redirect */
  tokens?: ReadonlyMap<string, string> | undefined;
  /** the variable that holds the token of an origin, for the advice where it is missing */
  keyVariable?: { origin: string; name: string } | undefined;
  /** answers of earlier runs; without it no request is conditional */
  validators?: ValidatorStore | undefined;
  limits?: Partial<HttpLimits> | undefined;
  /** the source of RELEASE_INDEX_AUTH_<HOST>, HTTP_PROXY, HTTPS_PROXY and NO_PROXY */
  env?: NodeJS.ProcessEnv | undefined;
  /** the source of npm's credentials */
  npm?: NpmConfig | undefined;
  clock?: Partial<Clock> | undefined;
  addresses?: Partial<AddressBook> | undefined;
}

export interface HttpResponse {
  /** after redirects */
  url: string;
  headers: HttpHeaders;
  body: Buffer;
  /** the body as strict UTF-8 without its byte order mark; else `HttpError` of kind `content` */
  text(): string;
  /** the body as JSON; else `HttpError` of kind `content` */
  json(): unknown;
  /** the host says that the stored body is still valid */
  notModified: boolean;
}

export interface Fetcher {
  /**
   * Throws `HttpError`. A document is requested once in a run, with whatever outcome. The host may be in a local network, as only
   * a person names it; one that an answer redirects to may not, unless it is requested elsewhere.
   */
  fetch(request: HttpRequest): Promise<HttpResponse>;
}

/** The documents that one source is read from. */
export interface HttpSession extends Fetcher {
  /** The answers were plausible: only then are they kept for later runs. */
  keep(): void;
}

export interface Http extends Fetcher {
  openSession(): HttpSession;
  /** ends requests under way, drops all connections and forgets all answers */
  close(): Promise<void>;
  /** with redirects and repeats */
  readonly counts: Readonly<{ requests: number }>;
}

/** Every request names the project's address, for complaints. */
export function userAgentOf({ repositoryUrl }: { repositoryUrl: string }): string {
  return `release-index (+${repositoryUrl})`;
}

export function createHttp(options: HttpOptions): Http {
  const limits = { ...defaultLimits, ...options.limits };
  const clock = { ...systemClock, ...options.clock };
  const { validators, env = {}, npm = noNpmConfig, userAgent, tokens } = options;
  const closing = new AbortController();
  const guard = createAddressGuard({ ...systemAddresses, ...options.addresses });
  const run: Run = {
    ...openConnections(limits, env, guard),
    userAgent,
    credentials: readOwnCredentials({ env, npm, tokens, keyVariable: options.keyVariable }),
    bearer: createBearerTokens(clock.now),
    guard,
    hosts: createHosts(clock),
    limits,
    clock,
    signal: AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]),
    counts: { requests: 0 },
  };
  const answers = new Map<string, Promise<Answer>>();

  return {
    counts: run.counts,
    fetch: async (request) => toResponse(request, (await answerTo(request)).answer),
    openSession() {
      const fetched = new Map<string, Answer>();
      return {
        async fetch(request) {
          const { key, answer } = await answerTo(request);
          if ((request.method ?? 'GET') === 'GET' && request.isKept !== false) fetched.set(key, answer);
          return toResponse(request, answer);
        },
        keep() {
          for (const [key, answer] of fetched)
            validators?.keep(key, run.credentials.redact(answer.url.href), answer);
        },
      };
    },
    async close() {
      // Cancels pending repeats, or the process would stay alive.
      closing.abort();
      await run.agent.destroy();
      answers.clear();
    },
  };

  async function answerTo(request: HttpRequest): Promise<{ key: string; answer: Answer }> {
    const url = parseUrl(request);
    const { asNpm, authenticate } = request;
    // A document may differ for those with a credential.
    const isPersonal = run.credentials.mayChange(url, { asNpm, asksRealm: authenticate !== undefined });
    const key = keyOf(url, request, isPersonal);
    let answer = answers.get(key);
    if (!answer) answers.set(key, (answer = requestAnswer(url, request, key)));
    return { key, answer: await answer };
  }

  async function requestAnswer(url: URL, request: HttpRequest, key: string): Promise<Answer> {
    const { method = 'GET', maxBytes = limits.maxBytes } = request;
    guard.trust(url);
    const fetchAnswer = (stored?: StoredAnswer) =>
      withRetries(run, { method, url }, () => fetchDocument(run, request, { url, stored }));

    const stored = method === 'GET' ? validators?.read(key) : undefined;
    let found = await fetchAnswer(stored);
    if (found.status === 304 && stored) {
      if (await isIntact(stored, maxBytes)) {
        const headers = new Map([...found.headers, ...stored.headers]);
        return { ...stored, url: found.url, headers, notModified: true };
      }
      found = await fetchAnswer();
    }
    const body = await packBody(found.body);
    return { url: found.url, headers: found.headers, ...body, notModified: false };
  }
}

async function toResponse({ method = 'GET' }: HttpRequest, answer: Answer): Promise<HttpResponse> {
  const { url, headers, notModified } = answer;
  const body = await unpackBody(answer);
  return {
    url: url.href,
    headers,
    body,
    text: () => decodeText(body, { method, url }),
    json: () => decodeJson(body, { method, url }),
    notModified,
  };
}
