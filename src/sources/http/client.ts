import { setTimeout as wait } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import pLimit, { type LimitFunction } from 'p-limit';
import { findTarget, maxRedirects } from '../../core/http-limits.ts';
import { formatCount } from '../../core/text.ts';
import { expectSafeTarget, parseUrl } from './addresses.ts';
import {
  nameVariables,
  readCredentials,
  readNpmConfig,
  type Credential,
  type NpmConfig,
  parseChallenge,
  readToken,
  type Challenge,
} from './credentials.ts';
import {
  createSourceError,
  explainNetworkError,
  explainStatus,
  Failure,
  showUrl,
  SourceError,
} from './failures.ts';
import { openStore } from './kept.ts';
import { findMedian, readOffset } from './offsets.ts';
import { createAgent, type HttpRequest, type Reply, sendIfChanged } from './send.ts';

export type { HttpRequest } from './send.ts';

export interface HttpResponse {
  /** The URL of the answer, after redirects. */
  url: string;
  /** The URL to which the document has permanently moved, according to its host. */
  movedTo?: string | undefined;
  /** The URL of the first request for this document, such as page 1 of a list. Only this URL's origin may get a credential. */
  from: string;
  headers: Headers;
  /** Whether the host answered that the document has not changed since an earlier run. */
  isKept: boolean;
  /** Makes the next run request the whole document, for example because a check rejected this answer. */
  forget(): void;
  bytes(): Buffer;
  text(): string;
}

export type Http = ReturnType<typeof createHttp>;

interface HttpOptions {
  /** The URL of the index's repository. Each request names it in `User-Agent`, so that a host can complain. */
  repositoryUrl: string;
  env: NodeJS.ProcessEnv;
  /** The folder with answers of earlier runs. */
  keptIn?: string;
  /** The version of this program. */
  program?: string;
  /** The signal that is aborted to end the run. */
  signal: AbortSignal;
  /** Hosts that may be requested over plain http, besides loopback. */
  plainHttpHosts?: readonly string[] | undefined;
  /** Waits for some milliseconds, by default with a timer. */
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
  /** The longest time for one request with its whole body, in milliseconds. */
  limitMs?: number;
}

/** The limit for open requests to one host, as SETUP.md promises. Also the limit for lists that are read from one host at once. */
const requestsPerHost = 8;

interface Host {
  lists: LimitFunction;
  queue: LimitFunction;
  heldUntil: number;
  /** For each answer of the host, how many milliseconds the host is ahead of our clock. */
  offsets: number[];
  /** The failure that shows that the host is down. This run then sends no more requests to the host. */
  failure?: Failure;
}

type Session = ReturnType<typeof createSession>;

/** Creates the state that all requests of a run share. */
function createSession(options: HttpOptions, npm: NpmConfig) {
  const { repositoryUrl, env, keptIn, program, limitMs = 30_000, plainHttpHosts = [] } = options;
  const { sleep = (ms, signal) => wait(ms, undefined, { signal }) } = options;
  const closing = new AbortController();
  return {
    agent: createAgent(),
    userAgent: `release-index (+${repositoryUrl})`,
    limitMs,
    credentials: readCredentials(env, npm),
    store: keptIn === undefined ? undefined : openStore(keptIn, program),
    hosts: new Map<string, Host>(),
    /** The tokens of registries, by registry and scope. */
    tokens: new Map<string, Promise<string>>(),
    closing,
    signal: AbortSignal.any([closing.signal, options.signal]),
    sleep,
    plainHttpHosts,
  };
}

/** Creates the client for all requests of a run. */
export function createHttp(options: HttpOptions) {
  const npm = readNpmConfig();
  const session = createSession(options, npm);
  const answers = new Map<string, Promise<HttpResponse>>();

  return {
    /** Fetches a document. Throws `SourceError`. A run requests a document only once, even if the request fails. */
    fetch(request: HttpRequest): Promise<HttpResponse> {
      const key = JSON.stringify(request);
      const answer = answers.get(key) ?? fetchDocument(session, request);
      answers.set(key, answer);
      return answer;
    },
    /** Waits until a release list may be read from the URL's host. The list counts towards the host's limit until `ended` resolves. */
    beginList: (address: string, ended: Promise<void>) =>
      new Promise<void>((resolve) => {
        void openHost(session, URL.parse(address)?.host ?? '').lists(() => {
          resolve();
          return ended;
        });
      }),
    /** Reads this host's release lists one by one from now on. The host's rate limit was too low to complete all of them. */
    spare(host: string) {
      openHost(session, host).lists.concurrency = 1;
    },
    findNpmRegistry: npm.findRegistry,
    /** Lists, for each host that answered, how many milliseconds the host is ahead of our clock. */
    listOffsets: () =>
      [...session.hosts.values()].flatMap(({ offsets }) => findMedian(offsets) ?? []),
    async close() {
      // This also ends waits before a repeated request.
      session.closing.abort();
      await session.agent.destroy();
      session.store?.close();
    },
  };
}

async function fetchDocument(session: Session, request: HttpRequest): Promise<HttpResponse> {
  const { url, packed, ...reply } = await fetchRepeatedly(session, request);
  const bytes = () => zstdDecompressSync(packed);
  return {
    isKept: false,
    forget: () => undefined,
    ...reply,
    url: url.href,
    from: request.from ?? request.url,
    bytes,
    text: () => decodeAnswer(url, bytes()),
  };
}

/** Decodes an answer. Throws `SourceError` if it is not UTF-8, or if `countValues` returns more than `maxValues` for it. */
export function decodeAnswer(url: string | URL, bytes: Uint8Array): string {
  limitValues(url, countValues(bytes));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw SourceError.at(url, 'is not valid UTF-8', error);
  }
}

/** Has 1 for each byte that `countValues` counts, and 0 for all other bytes. */
const valueMarks = new Uint8Array(256);
for (const mark of Buffer.from(',[{<\n')) {
  valueMarks[mark] = 1;
}

/** Counts commas, opening brackets and line breaks. Each entry of a JSON, YAML or XML document begins at one of them. */
export function countValues(bytes: Uint8Array): number {
  let count = 0;
  // `for…of` takes 25 times as long for bytes.
  for (let index = 0; index < bytes.length; index += 1) {
    count += valueMarks[bytes[index]!]!;
  }
  return count;
}

/**
 * The limit for `countValues`. In npm documents, it counts one value in 25 to 30 bytes. So even an npm document of 64 MB is below the
 * limit. A document with one value in 1.5 bytes would take 5 GB of memory.
 */
const maxValues = 4_000_000;

/** Throws if an answer has so many values that they would use up the memory of the run. */
export function limitValues(url: string | URL, count: number): void {
  if (count > maxValues) {
    throw SourceError.at(url, `lists more than ${formatCount(maxValues, 'value')}`);
  }
}

/** Repeats a failed request after random, growing waits. Throws if the failure allows no further attempt. */
async function fetchRepeatedly(session: Session, request: HttpRequest): Promise<Reply> {
  for (let count = 1; ; count += 1) {
    try {
      return await fetchAuthorized(session, request);
    } catch (error) {
      session.signal.throwIfAborted();
      if (!(error instanceof Failure)) {
        throw error;
      }
      const { repeats = 0, isHostDown, waitMs = 0 } = error.details;
      if (count > repeats) {
        const host = session.hosts.get(error.host);
        if (host && isHostDown) {
          host.failure ??= error;
        }
        throw createSourceError(error, request, count);
      }

      // Waits grow with "full jitter": aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter
      const backoffMs = Math.random() * 1000 * 2 ** (count - 1);
      await session.sleep(Math.max(waitMs, backoffMs), session.signal);
    }
  }
}

/** Requests a document. If the registry answers that it requires a token, requests a token and then the document again. */
async function fetchAuthorized(session: Session, asked: HttpRequest): Promise<Reply> {
  const { asNpm, from = asked.url } = asked;
  const start = parseUrl(session.plainHttpHosts, asked.url);
  const isOwn = new URL(from).origin === start.origin;
  const scope = isOwn ? asked.tokenScope : undefined;
  const key = `${start.origin} ${scope}`;
  const tokenInUse = scope === undefined ? undefined : session.tokens.get(key);
  const credential = isOwn ? session.credentials.find(start, asNpm) : undefined;
  // A document that needs one of our credentials is private, even after a redirect.
  const isPrivate = session.credentials.findPrivate(new URL(from), asNpm) !== undefined;
  const request: HttpRequest = isPrivate ? { ...asked, keep: 'never' } : asked;

  // A token is treated like the credential with which it was requested.
  const toBearer = (token: string): Credential => {
    return { authorization: `Bearer ${token}`, from: credential?.from ?? '' };
  };
  let reply = await followRedirects(
    session,
    request,
    start,
    tokenInUse ? toBearer(await tokenInUse) : credential,
  );
  const challenge = parseChallenge(reply.headers.get('www-authenticate'));
  const isChallenged = reply.status === 401 && reply.url.origin === start.origin;
  if (isChallenged && scope !== undefined && challenge) {
    let token = session.tokens.get(key);
    // If a shared token was rejected, the first rejected request gets a new token for all requests.
    if (!token || token === tokenInUse) {
      token = requestToken(session, start, challenge, scope);
      session.tokens.set(key, token);
      token.catch(() => session.tokens.delete(key));
    }
    reply = await followRedirects(session, request, start, toBearer(await token));
  }

  if (reply.status === 401) {
    const isSent = reply.url.origin === start.origin;
    const advice = adviseAccess(isSent ? credential : undefined, [start], asNpm);
    throw new Failure('answered 401', { status: 401, advice });
  }
  if (reply.status !== 200) {
    throw new Failure(`answered ${reply.status}, expected 200`, { status: reply.status });
  }
  return reply;
}

/**
 * Gets a token from the token service that a registry names.
 * - We choose the scope. Otherwise the registry could ask for another package's scope.
 * - A token service at another origin gets our credential only if we also have a credential for the registry. Otherwise any registry could
 *   name this token service, and would receive a token that was issued for our credential.
 */
async function requestToken(
  session: Session,
  registry: URL,
  { realm: address, service }: Challenge,
  scope: string,
): Promise<string> {
  const realm = parseUrl(session.plainHttpHosts, address, registry);
  if (service !== undefined) {
    realm.searchParams.set('service', service);
  }
  realm.searchParams.set('scope', scope);
  expectSafeTarget(registry, realm);

  const own = session.credentials.find(registry);
  const ofRealm = realm.origin === registry.origin ? own : session.credentials.find(realm);
  const credential = own && ofRealm;
  const reply = await followRedirects(
    session,
    { url: realm.href, keep: 'never' },
    realm,
    credential,
  );
  const token =
    reply.status === 200
      ? readToken(decodeAnswer(realm, zstdDecompressSync(reply.packed)))
      : undefined;
  if (token === undefined) {
    // The token service's credential is sent only if we also have a credential for the registry.
    const advice = reply.status === 401 ? adviseAccess(credential, [registry, realm]) : undefined;
    throw new Failure(`${showUrl(realm)} gave no token for ${scope} (${reply.status})`, {
      verb: 'failed',
      status: reply.status,
      advice,
    });
  }
  return token;
}

/** Says what to do about a document that needs a credential. `urls`: the origins that need a credential. */
function adviseAccess(
  credential: Credential | undefined,
  urls: readonly URL[],
  asNpm?: boolean,
): string {
  return credential?.from
    ? `The credential of ${credential.from} was refused. It may have expired, or it gives no access.`
    : `If it is private, set ${nameVariables(urls, asNpm)} to a credential that gives access.`;
}

async function followRedirects(
  session: Session,
  request: HttpRequest,
  start: URL,
  first: Credential | undefined,
): Promise<Reply> {
  let url = start;
  let credential = first;
  let movedTo: string | undefined;
  let isForGood = true;

  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const reply = await sendQueued(session, request, url, credential);
    const location = findTarget(reply.status, reply.headers);
    if (location === undefined) {
      return { ...reply, movedTo };
    }

    const target = parseUrl(session.plainHttpHosts, location, url);
    expectSafeTarget(url, target);

    // After a redirect to another origin, no credential is sent any more, even if a further redirect leads back.
    credential = target.origin === url.origin ? credential : undefined;
    url = target;
    isForGood &&= [301, 308].includes(reply.status);
    movedTo = isForGood ? showUrl(target) : movedTo;
  }

  throw new Failure(`redirects more than ${maxRedirects} times`);
}

function openHost({ hosts }: Session, name: string): Host {
  const host = hosts.get(name) ?? {
    lists: pLimit(requestsPerHost),
    queue: pLimit(requestsPerHost),
    heldUntil: 0,
    offsets: [],
  };
  hosts.set(name, host);
  return host;
}

/** Sends one request. Waits while its host has too many open requests, or asks us to wait. */
function sendQueued(
  session: Session,
  request: HttpRequest,
  url: URL,
  credential: Credential | undefined,
): Promise<Reply> {
  const host = openHost(session, url.host);
  return host.queue(async () => {
    try {
      if (host.failure) {
        const { message, details } = host.failure;
        const { verb, advice, isLimit, place } = details;
        throw new Failure(message, { verb, advice, isLimit, ...(place && { place }) });
      }
      if (host.heldUntil > Date.now()) {
        await session.sleep(host.heldUntil - Date.now(), session.signal);
      }

      const reply = await sendIfChanged(session, request, url, credential?.authorization);
      const offset = readOffset(reply.headers);
      if (offset !== undefined) {
        host.offsets.push(offset);
      }
      if (reply.status >= 400 && reply.status !== 401) {
        throw explainStatus(url, reply.status, reply.headers, credential, request.asNpm);
      }
      return reply;
    } catch (error) {
      const failure = explainNetworkError(error, url);
      if (failure instanceof Failure) {
        // After a redirect, the host that failed is not the host of the request.
        failure.host = url.host;
        // If the host asks us to wait, all requests to this host wait that long.
        const until = Date.now() + (failure.details.waitMs ?? 0);
        host.heldUntil = Math.max(host.heldUntil, until);
      }
      throw failure;
    }
  });
}
