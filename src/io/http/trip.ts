import type { Dispatcher } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import {
  type BearerTokens,
  type Challenge,
  type IssuedToken,
  parseChallenge,
  readToken,
  tokenQuery,
} from './auth.ts';
import { isAcceptable, isWebPage, mismatch } from './content-type.ts';
import { abortFailure, exchange, type Exchanged, type Head } from './exchange.ts';
import { Failure } from './failure.ts';
import type { Hosts } from './hosts.ts';
import type { Place } from './large-bodies.ts';
import type { HttpLimits } from './limits.ts';
import { variableOf, type OwnCredentials } from './own-credentials.ts';
import { type Hop, leadsTo, nextHop } from './redirect.ts';
import type { HttpRequest } from './request.ts';
import { type Clock, type RetryContext, withRetries } from './retry.ts';
import { isRedirect, statusFailure } from './status.ts';
import { conditions, type StoredAnswer } from './validators.ts';

/** What all requests of a run share. */
export interface Run {
  userAgent: string;
  credentials: OwnCredentials;
  bearer: BearerTokens;
  agent: Dispatcher;
  /** those that some requests go through */
  proxies: readonly URL[];
  guard: AddressGuard;
  hosts: Hosts;
  limits: HttpLimits;
  clock: Clock;
  signal: AbortSignal;
  counts: { requests: number };
  /** of the document that is asked for */
  place: Place;
}

/** The status is 200, or 304 if the stored answer holds. */
export interface TripAnswer extends Exchanged {
  url: URL;
}

export function retryContext(
  { clock, limits, signal, hosts, credentials }: Run,
  method: string,
  url: URL,
  purpose?: string,
): RetryContext {
  const onFinal = (failure: Failure) => {
    if (failure.details.isHostDown) hosts.giveUp(failure.details.url, failure);
  };
  return { method, url, purpose, clock, limits, signal, redact: credentials.redact, onFinal };
}

/** Headers meant for the origin that is asked, and not for those it redirects to. */
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** From the first URL through its redirects to a sound answer. Throws a `Failure`, or `HttpError` from a token service. */
export async function trip(
  run: Run,
  start: Hop,
  request: HttpRequest,
  stored?: StoredAnswer,
): Promise<TripAnswer> {
  const { limits, clock, hosts, guard } = run;
  const scope = request.authenticate?.scope;
  const origin = start.url.origin;
  let hop = start;
  let hasAnsweredChallenge = false;
  let bearer = scope === undefined ? undefined : await run.bearer.known(origin, scope);

  for (;;) {
    const { url } = hop;
    const conditional = conditions(stored, url);
    const { status, headers, body } = await ask(run, hop, request, { ...conditional, ...credentials() });
    const location = headers.get('location');
    if (isRedirect(status) && location !== undefined) {
      hop = nextHop(hop, location, { maxRedirects: limits.maxRedirects, guard });
      continue;
    }
    if (status === 401 && scope !== undefined && hop.isSameOrigin && !hasAnsweredChallenge) {
      hasAnsweredChallenge = true;
      const challenge = parseChallenge(headers.get('www-authenticate'));
      const token = challenge && (await answerChallenge(run, url, scope, challenge, bearer));
      if (token !== undefined) {
        bearer = token;
        continue;
      }
    }
    if (status === 304) {
      if (Object.keys(conditional).length > 0) return { url, status, headers, body };
      const text = ' answered 304 (not modified) to a request without conditions';
      throw new Failure({ kind: 'content', url, text, status, headers });
    }
    if (status !== 200) {
      const failure = statusFailure(url, { status, headers, body }, limits, clock.now(), whyRefused(hop));
      const { retry, retryAfterMs } = failure.details;
      if (retry === 'backoff' && retryAfterMs) hosts.holdUntil(url, clock.now() + retryAfterMs);
      throw failure;
    }
    if (request.method !== 'HEAD' && body.length === 0 && request.mayBeEmpty !== true) {
      throw new Failure({ kind: 'content', url, text: ' answered 200 with an empty body', status, headers });
    }
    return { url, status, headers, body };
  }

  function ownOf(url: URL): string | undefined {
    return run.credentials.of(url, request.asNpm);
  }

  /** What can be done about a 401. */
  function whyRefused({ url, isSameOrigin }: Hop): string {
    if (!isSameOrigin) return `A credential is not sent on to ${url.origin}.`;
    if (ownOf(url) !== undefined || bearer !== undefined)
      return 'The credential that was sent is not enough.';
    const inNpm = request.asNpm === true ? ' or a token in the configuration of npm' : '';
    return `If it is private, set ${variableOf(url)}${inNpm}.`;
  }

  function credentials(): Record<string, string> {
    if (!hop.isSameOrigin) return {};
    const authorization = bearer === undefined ? ownOf(hop.url) : `Bearer ${bearer}`;
    return authorization === undefined ? {} : { authorization };
  }
}

function ask(run: Run, hop: Hop, request: HttpRequest, extra: Record<string, string>): Promise<Exchanged> {
  const { url } = hop;
  const { agent, proxies, signal, limits, place } = run;
  const own = Object.entries(request.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const headers = {
    'user-agent': run.userAgent,
    accept: request.accept.join(', '),
    'accept-encoding': 'gzip, br',
    ...Object.fromEntries(own.filter(([name]) => hop.isSameOrigin || !PRIVATE_HEADERS.has(name))),
    ...(request.body && { 'content-type': request.body.type }),
    ...extra,
  };
  return run.hosts.run(url, signal, () => {
    if (signal.aborted) throw abortFailure(url);
    run.counts.requests++;
    const { method = 'GET', body, maxBytes = limits.maxBytes } = request;
    const wantsBody = (head: Head) => checkHead(url, request, head) && method !== 'HEAD';
    const sent = { url, method, headers, body: body?.text };
    return exchange(agent, { ...sent, maxBytes, limits, signal, proxies, place, wantsBody });
  });
}

/** Whether this is an answer to be used; throws if it says it is one, but of another type than expected. */
function checkHead(url: URL, request: HttpRequest, { status, headers }: Head): boolean {
  if (status !== 200) return false;
  const accepted = [...request.accept, ...(request.alsoAccept ?? [])];
  const type = headers.get('content-type');
  const isUntyped = type === undefined && request.method === 'HEAD';
  if (isUntyped || isAcceptable(type, accepted)) return true;
  const text = mismatch(type, accepted);
  const advice = isWebPage(type) ? 'The address may be a web page rather than a repository.' : undefined;
  throw new Failure({ kind: 'content', url, text, status, headers, ...(advice && { advice }) });
}

async function answerChallenge(
  run: Run,
  at: URL,
  scope: string,
  challenge: Challenge,
  refused: string | undefined,
): Promise<string> {
  const realm = URL.parse(challenge.realm, at.href);
  const hasOwn = realm !== null && run.credentials.ofRealm(realm, at) !== undefined;
  // Who gives a credential for a host names it, wherever it lies.
  if (hasOwn) run.guard.trust(realm);
  const url = leadsTo(at, challenge.realm, run.guard);
  url.search = tokenQuery(challenge, scope);
  // Another origin as far as credentials go: without one for it, the token is asked for anonymously.
  const start: Hop = { url, trail: [], isSameOrigin: hasOwn };
  return run.bearer.renew(at.origin, scope, refused, () => fetchToken(run, start, scope));
}

function fetchToken(run: Run, start: Hop, scope: string): Promise<IssuedToken> {
  const { clock } = run;
  const request: HttpRequest = {
    url: start.url.href,
    accept: ['application/json'],
    alsoAccept: ['text/plain'],
    maxBytes: 256 * 1024,
  };
  return withRetries(retryContext(run, 'GET', start.url, scope), async () => {
    const { url, body } = await trip(run, start, request);
    const issued = readToken(parseJson(body), clock.now());
    if (issued) return issued;
    throw new Failure({ kind: 'content', url, text: ' answered without a token' });
  });
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
