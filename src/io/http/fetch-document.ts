import type { AddressGuard } from './address-guard.ts';
import { parseChallenge, readToken, type Challenge } from './bearer-tokens.ts';
import { Failure, showUrl } from './error.ts';
import { createStatusFailure } from './failures.ts';
import { isForeign, type HttpRequest, type Reply } from './request.ts';
import type { HttpRun } from './http-run.ts';
import { runWithRetries } from './retries.ts';
import { sendRequest } from './send-request.ts';
import { createConditionalHeaders, type AnswerOrigin } from './answer-store.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

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
  start: URL,
  stored?: AnswerOrigin,
): Promise<Reply> {
  let url = start;
  let isAnonymous = isForeign(request);

  for (let redirects = 0; ; redirects++) {
    const conditions = createConditionalHeaders(stored, url);
    const reply = await sendAuthorized(run, request, url, isAnonymous, conditions);
    const location = reply.headers.get('location');
    if (!REDIRECTS.has(reply.status) || location === undefined) {
      checkReply(run, request, reply, conditions);
      return reply;
    }

    const target = checkTarget(url, location, run.guard);
    if (redirects === MAX_REDIRECTS) {
      const text = ` redirects more than ${MAX_REDIRECTS} times`;
      throw new Failure({ kind: 'limit', url, text });
    }

    // No credentials after a redirect to another origin, not even back at the first origin.
    isAnonymous ||= target.origin !== url.origin;
    url = target;
  }
}

/**
 * Sends the request with its credential unless it is anonymous, and again with a token if a registry asks for one. `conditions`: the
 * headers of a conditional request. Throws a `Failure` for a 401.
 */
async function sendAuthorized(
  run: HttpRun,
  request: HttpRequest,
  url: URL,
  isAnonymous: boolean,
  conditions: Record<string, string>,
): Promise<Reply> {
  const send = (authorization?: string) => {
    const credential = authorization === undefined ? {} : { authorization };
    const headers = { ...request.headers, ...conditions, ...credential };
    return run.hosts.run(url, run.signal, () => sendRequest(run, url, request, headers));
  };

  if (isAnonymous) {
    return expectAuthorized(await send(), `Credentials are not sent on to ${url.origin}.`);
  }

  const ownCredential = run.credentials.find(url, request);
  const npmAdvice = request.asNpm === true ? " or a token in npm's configuration" : '';
  const advice =
    ownCredential === undefined
      ? `If it is private, set ${run.credentials.chooseVariable(url)}${npmAdvice}.`
      : 'The credential does not give access.';

  const scope = request.authenticate?.scope;
  const token = scope === undefined ? undefined : await run.bearer.findToken(url.origin, scope);
  const reply = await send(token === undefined ? ownCredential : `Bearer ${token}`);

  const challenge = parseChallenge(reply.headers.get('www-authenticate'));
  if (reply.status !== 401 || scope === undefined || !challenge) {
    return expectAuthorized(reply, advice);
  }

  const newToken = await answerChallenge(run, url, challenge, { scope, token });
  return expectAuthorized(await send(`Bearer ${newToken}`), advice);
}

/** Returns the reply. Throws a `Failure` for a 401. `advice`: a sentence about the credential. */
function expectAuthorized(reply: Reply, advice: string): Reply {
  const { url, status } = reply;
  if (status === 401) {
    throw new Failure({ kind: 'refused', url, status, text: ' answered 401', advice });
  }

  return reply;
}

/** Throws a `Failure` for a reply without the document. */
function checkReply(
  { clock }: HttpRun,
  { method, mayBeEmpty }: HttpRequest,
  reply: Reply,
  conditions: Record<string, string>,
): void {
  const { url, status } = reply;
  if (status === 304 && Object.keys(conditions).length > 0) {
    return;
  }

  if (status !== 200) {
    throw createStatusFailure(reply, clock.now());
  }

  if (method !== 'HEAD' && reply.body.length === 0 && mayBeEmpty !== true) {
    throw new Failure({ kind: 'content', url, text: ' answered 200 with an empty body', status });
  }
}

/** The address of a redirect or token service. Throws a `Failure` before anything is sent to a forbidden one. */
function checkTarget(from: URL, location: string, guard: AddressGuard): URL {
  const reject = (text: string) =>
    new Failure({ kind: 'forbidden', url: from, text: ` leads to ${text}` });
  const url = URL.parse(location, from.href);
  if (!url) {
    throw reject('an address that is not a URL');
  }

  if (url.username || url.password) {
    throw reject('a URL with credentials');
  }

  const mayBePlainHttp = from.protocol === 'http:' && guard.admitsPlainHttp(url);
  if (url.protocol !== 'https:' && !mayBePlainHttp) {
    throw reject(`${showUrl(url)}, which is not https:`);
  }
  if (!guard.admits(url)) {
    throw reject(`${showUrl(url)}, an address in a local network`);
  }

  url.hash = '';
  return url;
}

/** A new token from the service that a registry names. `token`: the refused one. */
function answerChallenge(
  run: HttpRun,
  registry: URL,
  challenge: Challenge,
  { scope, token }: { scope: string; token: string | undefined },
): Promise<string> {
  const realm = URL.parse(challenge.realm, registry.href);
  const hasCredential =
    realm !== null && run.credentials.findForRealm(realm, registry) !== undefined;

  // A service whose credential a person has set may be in a local network, as the registry may.
  if (hasCredential) {
    run.guard.trust(realm);
  }

  const url = checkTarget(registry, challenge.realm, run.guard);
  if (challenge.service !== undefined) {
    url.searchParams.set('service', challenge.service);
  }

  // Not the scope that the registry names: it could be that of somebody else's package.
  url.searchParams.set('scope', scope);
  return run.bearer.renew(registry.origin, scope, token, () =>
    fetchToken(run, url, hasCredential ? url : registry, scope),
  );
}

/** `named`: the address that a person named, of the registry or of the service itself. */
function fetchToken(run: HttpRun, url: URL, named: URL, scope: string): Promise<string> {
  const request: HttpRequest = {
    url: url.href,
    namedUrl: named.href,
    accept: ['application/json'],
    alsoAccept: ['text/plain'],
    maxBytes: 256 * 1024,
  };
  return runWithRetries(run, { method: 'GET', url, purpose: scope }, async () => {
    const { url: reached, body } = await fetchDocument(run, request, url);
    const token = readToken(body.toString('utf8'));
    if (token !== undefined) {
      return token;
    }

    throw new Failure({ kind: 'content', url: reached, text: ' answered without a token' });
  });
}
