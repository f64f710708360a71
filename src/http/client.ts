import { type AddressBook, systemAddresses } from './address-guard.ts';
import { type Answer, bodyOf } from './answer.ts';
import { createBearerTokens } from './auth.ts';
import { createBackground } from './background.ts';
import { decodeJson, decodeText } from './decode.ts';
import { createDispatchers, type ProxyEnv } from './dispatchers.ts';
import { HttpError, type HttpHeaders, showUrl } from './error.ts';
import { createHosts } from './hosts.ts';
import { defaultLimits, type HttpLimits } from './limits.ts';
import { firstHop } from './redirect.ts';
import { type Clock, systemClock, withRetries } from './retry.ts';
import { createSharedAnswers } from './shared-answers.ts';
import { createSpill } from './spill.ts';
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
  /**
   * a folder on a disk, for answers that nobody works on any more but others may ask for: a file is in it for the length
   * of the run, without a name. Without the folder, or where it takes no file, they stay in memory
   */
  spillFolder?: string | undefined;
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
  /** waits for what is being stored, drops all connections and forgets all answers: nothing is asked for any more */
  close(): Promise<void>;
  readonly counts: Readonly<HttpCounts>;
}

/** How many answers may wait for the disk before the next document is asked for. */
const WAITING_FOR_DISK = 32;

export function createHttp(options: HttpOptions): Http {
  const limits = { ...defaultLimits, ...options.limits };
  const clock = { ...systemClock, ...options.clock };
  const addresses = { ...systemAddresses, ...options.addresses };
  const { validators } = options;
  const counts: HttpCounts = { requests: 0, notModified: 0, bytes: 0 };
  const background = createBackground(WAITING_FOR_DISK);
  const spill = createSpill(options.spillFolder);
  const answers = createSharedAnswers(spill, background);
  const accepted = new Set<string>();
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
      const answer = await answers.get(key, () => fetchAnswer(url, request, key));
      const { method = 'GET' } = request;
      return respond(answer, method, () => {
        if (method === 'GET') accept(key, answer);
      });
    },
    async close() {
      await background.settled();
      await run.dispatchers.destroy();
      await spill.close();
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
      if (body) return unchanged(stored, { ...found, body }, requests);
    }
    // The stored body is damaged, as only now is looked at: it is fetched after all.
    const fresh = found.status === 304 ? await ask() : found;
    return received(fresh, requests);
  }

  function received({ url, headers, body }: TripAnswer, requests: number): Answer {
    counts.bytes += body.length;
    return { url, headers, body: bodyOf(body), notModified: false, requests };
  }

  function unchanged(stored: StoredAnswer, { url, headers, body }: TripAnswer, requests: number): Answer {
    counts.notModified++;
    return {
      url,
      headers: new Map([...headers, ...stored.headers]),
      body: bodyOf(body, stored.packed),
      notModified: true,
      requests,
    };
  }

  function accept(key: string, answer: Answer): void {
    if (!validators || accepted.has(key)) return;
    accepted.add(key);
    background.start(() => (answer.notModified ? validators.touch(key) : store(validators, key, answer)));
  }
}

async function store(validators: ValidatorStore, key: string, { url, headers, body }: Answer): Promise<void> {
  const stored = await toStored(url, headers, body);
  if (stored) await validators.write(key, url.href, stored);
}

function respond(answer: Answer, method: string, accept: () => void): HttpResponse {
  const { url, headers, notModified, requests } = answer;
  const body = answer.body.bytes;
  const subject = { method, url };
  return {
    url: url.href,
    status: 200,
    headers,
    body,
    text: () => decodeText(body, subject),
    json: () => decodeJson(body, subject),
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
