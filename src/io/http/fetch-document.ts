import type { StoredAnswer } from './answer-store.ts';
import { parseChallenge } from './bearer-tokens.ts';
import { expectAuthorized, followRedirects } from './follow-redirects.ts';
import type { HttpRun } from './http-run.ts';
import { renewToken } from './renew-token.ts';
import { isForeign, type HttpRequest, type Reply } from './request.ts';

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
  const scope = isForeign(request) ? undefined : request.authenticate?.scope;
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
