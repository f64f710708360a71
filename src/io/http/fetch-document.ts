import type { StoredAnswer } from './answer-store.ts';
import { parseChallenge, readToken, type Challenge } from './bearer-tokens.ts';
import { Failure } from './error.ts';
import { checkTarget, expectAuthorized, followRedirects } from './follow-redirects.ts';
import type { HttpRun } from './http-run.ts';
import { isForeign, type HttpRequest, type Reply } from './request.ts';
import { runWithRetries } from './retries.ts';

/**
 * Fetches a document, with a token where a registry asks for one. The reply has status 200, or 304 if the stored answer is still
 * valid. Throws a `Failure`, or `HttpError` from a token service.
 */
export async function fetchDocument(
  run: HttpRun,
  request: HttpRequest,
  start: URL,
  stored?: StoredAnswer,
): Promise<Reply> {
  const scope = isForeign(request) ? undefined : request.tokenScope;
  const token = scope === undefined ? undefined : await run.bearer.findToken(start.origin, scope);

  let reply = await followRedirects(run, request, start, stored, token);
  const challenge = parseChallenge(reply.headers.get('www-authenticate'));
  if (reply.status === 401 && !reply.isAnonymous && scope !== undefined && challenge) {
    const newToken = await renewToken(run, reply.url, challenge, scope, token);
    reply = await followRedirects(run, request, start, stored, newToken);
  }

  expectAuthorized(run, request, reply);
  return reply;
}

/**
 * A new token from the service that a registry names in its challenge, which other requests of the run share. `refusedToken`: the one
 * that the registry no longer takes.
 */
function renewToken(
  run: HttpRun,
  registry: URL,
  challenge: Challenge,
  scope: string,
  refusedToken: string | undefined,
): Promise<string> {
  const realm = URL.parse(challenge.realm, registry.href);
  const hasCredential =
    realm !== null && run.credentials.findForRealm(realm, registry) !== undefined;

  // A service whose credential a person has set may be in a local network, as the registry may.
  const url = checkTarget(run.guard, registry, realm, hasCredential ? 'person' : 'host');
  if (hasCredential) {
    run.guard.trust(url);
  }

  if (challenge.service !== undefined) {
    url.searchParams.set('service', challenge.service);
  }

  // Not the scope that the registry names: it could be that of somebody else's package.
  url.searchParams.set('scope', scope);
  return run.bearer.renew(registry.origin, scope, refusedToken, () =>
    fetchToken(run, url, hasCredential ? url : registry, scope),
  );
}

/** `named`: the address that a person named, of the registry or of the service itself. */
function fetchToken(run: HttpRun, url: URL, named: URL, scope: string): Promise<string> {
  const request: HttpRequest = {
    url: url.href,
    namedUrl: named.href,
    alsoAccept: ['text/plain'],
    maxBytes: 256 * 1024,
  };
  return runWithRetries(run, { method: 'GET', url, purpose: scope }, async () => {
    const reply = await followRedirects(run, request, url);
    expectAuthorized(run, request, reply);

    const token = readToken(reply.body.toString('utf8'));
    if (token !== undefined) {
      return token;
    }

    throw new Failure({ kind: 'content', url: reply.url, text: ' answered without a token' });
  });
}
