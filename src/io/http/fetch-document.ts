import type { AddressGuard } from './address-guard.ts';
import {
  parseChallenge,
  readToken,
  createTokenQuery,
  type Challenge,
  type IssuedToken,
} from './bearer-tokens.ts';
import { Failure, showUrl } from './error.ts';
import { isRedirect, createStatusFailure } from './failures.ts';
import type { HttpRequest, Reply } from './request.ts';
import { runWithRetries, type HttpRun } from './scheduling.ts';
import { sendRequest } from './send-request.ts';
import { createConditions, type StoredAnswer } from './validators.ts';

const MAX_REDIRECTS = 5;
/** Headers for the first origin only. Redirects to another origin do not get them. */
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Follows redirects and answers a registry's challenge. The reply has status 200, or 304 if the stored answer is still valid.
 * Throws a `Failure`, or `HttpError` from a token service.
 *
 * Not undici's `interceptors.redirect`: it drops the userinfo of a `Location` before the guard can see it, and repeats the first
 * request's headers, but validators are only for the URL that gave the stored answer.
 */
export async function fetchDocument(
  run: HttpRun,
  request: HttpRequest,
  start: { url: URL; stored?: StoredAnswer | undefined; isAnonymous?: boolean },
): Promise<Reply> {
  const trail: URL[] = [];
  const scope = request.authenticate?.scope;
  let nextUrl = start.url;

  // No credentials after a redirect to another origin, not even back at the first origin.
  let isTrusted = start.isAnonymous !== true;
  let bearer = scope === undefined ? undefined : await run.bearer.findToken(nextUrl.origin, scope);
  let hasAnsweredChallenge = false;

  for (;;) {
    const url = nextUrl;
    const conditions = createConditions(start.stored, url);
    const credential = isTrusted ? findCredential(run, url, request, bearer) : {};
    const headers = { ...pickHeaders(request, isTrusted), ...conditions, ...credential };
    const reply = await run.hosts.run(url, run.signal, () =>
      sendRequest(run, url, request, headers),
    );
    const location = reply.headers.get('location');

    if (isRedirect(reply.status) && location !== undefined) {
      nextUrl = resolveRedirect(url, location, trail, run.guard);
      isTrusted &&= nextUrl.origin === url.origin;
      continue;
    }

    if (reply.status === 401 && scope !== undefined && isTrusted && !hasAnsweredChallenge) {
      hasAnsweredChallenge = true;

      const challenge = parseChallenge(reply.headers.get('www-authenticate'));
      if (challenge) {
        bearer = await answerChallenge(run, url, scope, challenge, bearer);
        continue;
      }
    }

    const isAuthorized = 'authorization' in credential;
    const adviceFor401 = describeRemedyFor401(run, url, request, { isTrusted, isAuthorized });
    const isConditional = Object.keys(conditions).length > 0;
    checkReply(run, url, request, reply, { isConditional, adviceFor401 });

    return reply;
  }
}

/** Throws a `Failure` for a reply without the document. */
function checkReply(
  run: HttpRun,
  url: URL,
  { method, mayBeEmpty }: HttpRequest,
  reply: Reply,
  { isConditional, adviceFor401 }: { isConditional: boolean; adviceFor401: string },
): void {
  const { status } = reply;
  if (status === 304 && !isConditional) {
    const text = ' answered 304 (not modified) to a request without conditions';
    throw new Failure({ kind: 'content', url, text, status });
  }
  if (status === 304) {
    return;
  }

  if (status !== 200) {
    const failure = createStatusFailure(reply, run.clock.now(), adviceFor401);
    const { retry, retryAfterMs } = failure.details;
    if (retry === 'backoff' && retryAfterMs) {
      run.hosts.holdUntil(url, run.clock.now() + retryAfterMs);
    }

    throw failure;
  }

  if (method !== 'HEAD' && reply.body.length === 0 && mayBeEmpty !== true) {
    throw new Failure({ kind: 'content', url, text: ' answered 200 with an empty body', status });
  }
}

function pickHeaders({ headers = {} }: HttpRequest, isTrusted: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => isTrusted || !PRIVATE_HEADERS.has(name)),
  );
}

function findCredential(
  { credentials }: HttpRun,
  url: URL,
  request: HttpRequest,
  bearer: string | undefined,
): Record<string, string> {
  const value = bearer === undefined ? credentials.find(url, request) : `Bearer ${bearer}`;
  return value === undefined ? {} : { authorization: value };
}

function describeRemedyFor401(
  { credentials }: HttpRun,
  url: URL,
  { asNpm }: HttpRequest,
  { isTrusted, isAuthorized }: { isTrusted: boolean; isAuthorized: boolean },
): string {
  if (!isTrusted) {
    return `Credentials are not sent on to ${url.origin}.`;
  }
  if (isAuthorized) {
    return 'The credential does not give access.';
  }

  const inNpm = asNpm === true ? " or a token in npm's configuration" : '';
  return `If it is private, set ${credentials.findVariable(url)}${inNpm}.`;
}

/** Adds `from` to the trail. Throws a `Failure` for a forbidden redirect. */
function resolveRedirect(from: URL, location: string, trail: URL[], guard: AddressGuard): URL {
  trail.push(from);

  const url = checkTarget(from, location, guard);
  if (trail.some(({ href }) => href === url.href)) {
    const urls = [...trail, url].map(showUrl).join(' -> ');
    throw new Failure({ kind: 'limit', url: from, text: ` redirects in a loop: ${urls}` });
  }

  if (trail.length > MAX_REDIRECTS) {
    throw new Failure({
      kind: 'limit',
      url: from,
      text: ` redirects more than ${MAX_REDIRECTS} times`,
    });
  }

  return url;
}

/** Checks the address of a redirect or token service before anything is sent there. */
function checkTarget(from: URL, location: string, guard: AddressGuard): URL {
  const reject = (text: string) =>
    new Failure({ kind: 'forbidden', url: from, text: ` leads to ${text}` });
  const url = URL.parse(location, from.href);
  if (!url) {
    throw reject('an address that is not a URL');
  }

  url.hash = '';

  if (url.username || url.password) {
    throw reject('a URL with credentials');
  }

  const isAllowed = from.protocol === 'http:' && guard.admitsPlainHttp(url);
  if (url.protocol !== 'https:' && !isAllowed) {
    throw reject(`${showUrl(url)}, which is not https:`);
  }
  if (!guard.admits(url)) {
    throw reject(`${showUrl(url)}, an address in a local network`);
  }

  return url;
}

async function answerChallenge(
  run: HttpRun,
  service: URL,
  scope: string,
  challenge: Challenge,
  refusedToken: string | undefined,
): Promise<string> {
  const realm = URL.parse(challenge.realm, service.href);
  const hasCredential =
    realm !== null && run.credentials.findForRealm(realm, service) !== undefined;

  // A variable for the service and one for the registry trust the service, even in a local network.
  if (hasCredential) {
    run.guard.trust(realm);
  }

  const url = checkTarget(service, challenge.realm, run.guard);
  url.search = createTokenQuery(challenge, scope);
  return run.bearer.renew(service.origin, scope, refusedToken, () =>
    fetchToken(run, { url, isAnonymous: !hasCredential }, scope),
  );
}

function fetchToken(
  run: HttpRun,
  start: { url: URL; isAnonymous: boolean },
  scope: string,
): Promise<IssuedToken> {
  const { url } = start;
  const accept = { accept: ['application/json'], alsoAccept: ['text/plain'] };
  const request: HttpRequest = { url: url.href, ...accept, maxBytes: 256 * 1024 };
  return runWithRetries(run, { method: 'GET', url, purpose: scope }, async () => {
    const { url: reached, body } = await fetchDocument(run, request, start);
    const issued = readToken(body.toString('utf8'), run.clock.now());
    if (issued) {
      return issued;
    }

    throw new Failure({ kind: 'content', url: reached, text: ' answered without a token' });
  });
}
