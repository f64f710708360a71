import { type AddressBook, systemAddresses } from './address.ts';
import { createBearerTokens } from './auth.ts';
import { decodeJson, decodeText } from './decode.ts';
import { createDispatchers, type ProxyEnv } from './dispatchers.ts';
import { HttpError, type HttpHeaders, showUrl } from './error.ts';
import { createHosts } from './hosts.ts';
import { keepBody, type KeptBody } from './kept-body.ts';
import { defaultLimits, type HttpLimits } from './limits.ts';
import { firstHop } from './redirect.ts';
import { type Clock, systemClock, withRetries } from './retry.ts';
import { retryContext, type Run, trip, type TripAnswer, type TripRequest } from './trip.ts';
import { documentKey, type StoredAnswer, toStored, unpackStored, type ValidatorStore } from './validators.ts';

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
  /** where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read, in either case */
  env?: ProxyEnv | undefined;
  clock?: Partial<Clock> | undefined;
  addresses?: Partial<AddressBook> | undefined;
}

export interface HttpRequest {
  url: string;
  /** media types to ask for; the answer must be of one of these or of `alsoAccept` */
  accept: readonly string[];
  /** media types that are not asked for but taken, such as `text/plain` of raw files */
  alsoAccept?: readonly string[] | undefined;
  headers?: Record<string, string> | undefined;
  method?: 'GET' | 'HEAD' | undefined;
  /** the most the body may be, unpacked */
  maxBytes?: number | undefined;
  /** answer a 401 with an anonymous token for this scope ("repository:library/alpine:pull"), as registries want */
  authenticate?: { scope: string } | undefined;
}

export interface HttpResponse {
  /** after redirects */
  url: string;
  /** always 200: a 304 is turned into the stored answer */
  status: number;
  headers: HttpHeaders;
  body: Buffer;
  /** the body as strict UTF-8 without its byte order mark; else `HttpError` of kind `content` */
  text(): string;
  /** the body as JSON; else `HttpError` of kind `content` */
  json(): unknown;
  /** upstream said that the stored body still holds */
  notModified: boolean;
  /** requests sent for it, with redirects and repeats */
  requests: number;
  /** says that the answer was plausible: only then is it kept for later runs */
  accept(): void;
}

export interface HttpCounts {
  requests: number;
  notModified: number;
  /** unpacked bytes of bodies received */
  bytes: number;
}

export interface Http {
  /** Throws `HttpError`. The same document is asked for once, however often and with whatever outcome. */
  fetch(request: HttpRequest): Promise<HttpResponse>;
  /** waits for what is being stored and drops all connections */
  close(): Promise<void>;
  readonly counts: Readonly<HttpCounts>;
}

/** An answer as it is shared by all who ask for the document. */
interface Answer {
  url: URL;
  method: string;
  headers: HttpHeaders;
  body: KeptBody;
  notModified: boolean;
  requests: number;
  accept(): void;
}

export function createHttp(options: HttpOptions): Http {
  const limits = { ...defaultLimits, ...options.limits };
  const clock = { ...systemClock, ...options.clock };
  const addresses = { ...systemAddresses, ...options.addresses };
  const { validators } = options;
  const counts: HttpCounts = { requests: 0, notModified: 0, bytes: 0 };
  const answers = new Map<string, Promise<Answer>>();
  const storing = new Set<Promise<void>>();
  const run: Omit<Run, 'onRequest'> = {
    userAgent: options.userAgent,
    tokens: new Map([...(options.tokens ?? [])].map(([url, token]) => [new URL(url).origin, token])),
    bearer: createBearerTokens(clock.now),
    dispatchers: createDispatchers(limits, options.env ?? {}, addresses),
    hosts: createHosts(limits, clock),
    limits,
    clock,
    signal: options.signal ?? new AbortController().signal,
  };

  return {
    counts,
    async fetch(request) {
      const url = parseUrl(request.url);
      const key = keyOf(url, request);
      const answer = answers.get(key) ?? fetchAnswer(url, request, key);
      answers.set(key, answer);
      return respond(await answer);
    },
    async close() {
      await Promise.all(storing);
      await run.dispatchers.destroy();
    },
  };

  async function fetchAnswer(url: URL, request: HttpRequest, key: string): Promise<Answer> {
    const { method = 'GET', maxBytes = limits.maxBytes, authenticate } = request;
    let requests = 0;
    const onRequest = () => {
      requests++;
      counts.requests++;
    };
    const wanted: TripRequest = {
      method,
      maxBytes,
      accept: request.accept,
      alsoAccept: request.alsoAccept ?? [],
      headers: request.headers ?? {},
      scope: authenticate?.scope,
    };
    const ask = (stored?: StoredAnswer) =>
      withRetries(retryContext(run, method, url), () =>
        trip({ ...run, onRequest }, firstHop(url), { ...wanted, stored }),
      );

    const stored = method === 'GET' ? await validators?.read(key) : undefined;
    const found = await ask(stored);
    if (found.status === 304 && stored) {
      const body = await unpackStored(stored, maxBytes);
      if (body) return unchanged(key, stored, { ...found, body }, requests);
    }
    // The stored body is damaged, as only now is looked at: it is fetched after all.
    const fresh = found.status === 304 ? await ask() : found;
    return received(key, method, fresh, requests);
  }

  function received(key: string, method: string, found: TripAnswer, requests: number): Answer {
    const { url, headers } = found;
    const body = keepBody(found.body);
    counts.bytes += found.body.length;
    const accept = method === 'GET' ? once(() => store(key, url, headers, body)) : () => undefined;
    return { url, method, headers, body, requests, notModified: false, accept };
  }

  function unchanged(key: string, stored: StoredAnswer, found: TripAnswer, requests: number): Answer {
    counts.notModified++;
    const { url } = found;
    const headers = new Map([...found.headers, ...stored.headers]);
    const body = keepBody(found.body, stored.packed);
    const accept = once(() => validators?.touch(key));
    return { url, method: 'GET', headers, body, requests, notModified: true, accept };
  }

  async function store(key: string, url: URL, headers: HttpHeaders, body: KeptBody): Promise<void> {
    const stored = validators && (await toStored(url, headers, body));
    if (stored) await validators?.write(key, url.href, stored);
  }

  function once(work: () => Promise<void> | undefined): () => void {
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      const pending = Promise.resolve(work()).finally(() => storing.delete(pending));
      storing.add(pending);
    };
  }
}

function respond(answer: Answer): HttpResponse {
  const { url, headers, notModified, requests, accept } = answer;
  const body = answer.body.read();
  return {
    url: url.href,
    status: 200,
    headers,
    body,
    text: () => decodeText(body, answer),
    json: () => decodeJson(body, answer),
    notModified,
    requests,
    accept,
  };
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new HttpError({ kind: 'forbidden', url: text, message: `${showUrl(text)} is not a URL` });
  url.hash = '';
  return url;
}

function keyOf(url: URL, request: HttpRequest): string {
  const { method = 'GET', accept, alsoAccept = [], headers = {}, maxBytes = 0, authenticate } = request;
  const sorted = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
  return documentKey([method, url.href, accept, alsoAccept, sorted, maxBytes, authenticate?.scope ?? '']);
}
