import { type AddressBook, createAddressGuard, systemAddresses } from './address-guard.ts';
import type { Env } from '../../core/env.ts';
import { openConnections } from './agent.ts';
import { type Answer, packBody, unpackBody, unpackStored } from './answer.ts';
import { createBearerTokens } from './auth.ts';
import { decodeJson, decodeText } from './decode.ts';
import type { HttpHeaders } from './error.ts';
import { createHosts } from './hosts.ts';
import { createPlaces, type Place } from './large-bodies.ts';
import { defaultLimits, type HttpLimits } from './limits.ts';
import { noNpmConfig, type NpmConfig } from './npm-config.ts';
import { readOwnCredentials } from './own-credentials.ts';
import { firstHop } from './redirect.ts';
import { type HttpRequest, keyOf, parseUrl } from './request.ts';
import { type Clock, systemClock, withRetries } from './retry.ts';
import { retryContext, type Run, trip } from './trip.ts';
import { type StoredAnswer, toStored, type ValidatorStore } from './validators.ts';

export interface HttpOptions {
  /** names the project and its address */
  userAgent: string;
  /** stops the whole run */
  signal?: AbortSignal | undefined;
  /** bearer tokens by origin ("https://api.github.com"): sent to that origin only, and not after a redirect */
  tokens?: ReadonlyMap<string, string> | undefined;
  /** answers of earlier runs; without it no request is conditional */
  validators?: ValidatorStore | undefined;
  limits?: Partial<HttpLimits> | undefined;
  /** where RELEASE_INDEX_AUTH_<HOST>, HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read */
  env?: Env | undefined;
  /** where npm's credentials, its proxies and the certificates that it trusts are read */
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
  /** upstream said that the stored body still holds */
  notModified: boolean;
}

export interface Fetcher {
  /**
   * Throws `HttpError`. The same document is asked for once, however often and with whatever outcome. The host may lie in a
   * local network, as only a person names it; one that an answer redirects to may not, unless it is asked for elsewhere.
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
  /** ends what is under way, drops all connections and forgets all answers */
  close(): Promise<void>;
  /** with redirects and repeats */
  readonly counts: Readonly<{ requests: number }>;
}

export function createHttp(options: HttpOptions): Http {
  const limits = { ...defaultLimits, ...options.limits };
  const clock = { ...systemClock, ...options.clock };
  const { validators, env = {}, npm = noNpmConfig } = options;
  const credentials = readOwnCredentials({ env, npm, tokens: options.tokens });
  const counts = { requests: 0 };
  const guard = createAddressGuard({ ...systemAddresses, ...options.addresses }, limits.dnsMs);
  const { agent, proxies } = openConnections(limits, env, npm, guard);
  const answers = new Map<string, Promise<Answer>>();
  const kept = new Set<string>();
  const placeOf = createPlaces(limits);
  const closing = new AbortController();
  const shared: Omit<Run, 'place'> = {
    counts,
    userAgent: options.userAgent,
    credentials,
    bearer: createBearerTokens(clock.now),
    agent,
    proxies,
    guard,
    hosts: createHosts(limits, clock),
    limits,
    clock,
    signal: AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]),
  };

  return {
    counts,
    fetch: async (request) => respond(request, (await answerTo(request)).answer, limits),
    openSession() {
      const asked = new Map<string, Answer>();
      return {
        async fetch(request) {
          const { key, answer } = await answerTo(request);
          if ((request.method ?? 'GET') === 'GET' && request.isKept !== false) asked.set(key, answer);
          return respond(request, answer, limits);
        },
        keep: () => asked.forEach((answer, key) => keep(key, answer)),
      };
    },
    async close() {
      // Whoever asked may have left long ago; what still waits to be repeated would keep the process.
      closing.abort();
      await agent.destroy();
      answers.clear();
    },
  };

  async function answerTo(request: HttpRequest): Promise<{ key: string; answer: Answer }> {
    const url = parseUrl(request.url);
    const { asNpm, authenticate } = request;
    // What one may see with a credential, another may not see without.
    const isPersonal = credentials.mayChange(url, { asNpm, asksRealm: authenticate !== undefined });
    const key = keyOf(url, request, isPersonal);
    let answer = answers.get(key);
    if (!answer) answers.set(key, (answer = ask(url, request, key)));
    return { key, answer: await answer };
  }

  async function ask(url: URL, request: HttpRequest, key: string): Promise<Answer> {
    const place = placeOf();
    try {
      return await askFrom(place, url, request, key);
    } finally {
      place.leave();
    }
  }

  async function askFrom(place: Place, url: URL, request: HttpRequest, key: string): Promise<Answer> {
    const { method = 'GET', maxBytes = limits.maxBytes } = request;
    const run: Run = { ...shared, place };
    guard.trust(url);
    const start = (stored?: StoredAnswer) =>
      withRetries(retryContext(run, method, url), () => trip(run, firstHop(url), request, stored));

    const stored = method === 'GET' ? validators?.read(key) : undefined;
    let found = await start(stored);
    if (found.status === 304 && stored) {
      if (await unpackStored(stored, maxBytes)) {
        const headers = new Map([...found.headers, ...stored.headers]);
        const { packed, sha256 } = stored;
        return { url: found.url, headers, packed, sha256, notModified: true };
      }
      // The stored body turns out to be damaged, so it is fetched after all.
      found = await start();
    }
    const body = await packBody(found.body);
    return { url: found.url, headers: found.headers, ...body, notModified: false };
  }

  function keep(key: string, answer: Answer): void {
    if (!validators || kept.has(key)) return;
    kept.add(key);
    if (answer.notModified) return validators.touch(key);
    const stored = toStored(answer);
    if (stored) validators.write(key, credentials.redact(answer.url.href), stored);
  }
}

async function respond(
  { method = 'GET' }: HttpRequest,
  answer: Answer,
  limits: HttpLimits,
): Promise<HttpResponse> {
  const { url, headers, notModified } = answer;
  const body = await unpackBody(answer);
  const subject = { method, url };
  return {
    url: url.href,
    headers,
    body,
    text: () => decodeText(body, subject),
    json: () => decodeJson(body, subject, limits),
    notModified,
  };
}
