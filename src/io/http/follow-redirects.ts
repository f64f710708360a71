import type { AddressGuard } from './address-guard.ts';
import { createConditionalHeaders, type StoredAnswer } from './answer-store.ts';
import { Failure, showUrl } from './error.ts';
import { createStatusFailure } from './failures.ts';
import type { HttpRun } from './http-run.ts';
import { isForeign, type HttpRequest, type Reply } from './request.ts';
import { sendRequest } from './send-request.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/** `isAnonymous`: the request had left the origin that a person named, and so was sent without a credential. */
type FinalReply = Reply & { isAnonymous: boolean };

/**
 * Follows redirects to a reply with status 200, with 304 if the stored answer is still valid, or with 401. Throws a `Failure` for
 * any other. `token`: is sent in place of the user's own credential.
 *
 * Not undici's `interceptors.redirect`: it drops the userinfo of a `Location` before the guard can see it, and repeats the first
 * request's headers, but validators are only for the URL that gave the stored answer.
 */
export async function followRedirects(
  run: HttpRun,
  request: HttpRequest,
  start: URL,
  stored?: StoredAnswer,
  token?: string,
): Promise<FinalReply> {
  let url = start;
  let sent = request;
  let isAnonymous = isForeign(request);

  for (let redirects = 0; ; redirects++) {
    const conditions = createConditionalHeaders(stored, url);
    const credential = token === undefined ? run.credentials.find(url, request) : `Bearer ${token}`;
    const authorization = isAnonymous || !credential ? {} : { authorization: credential };
    const headers = { ...request.headers, ...conditions, ...authorization };
    const reply = await run.hosts.run(url, run.signal, () => sendRequest(run, url, sent, headers));

    const location = reply.headers.get('location');
    if (!REDIRECTS.has(reply.status) || location === undefined) {
      checkReply(run, sent, reply, conditions);
      return { ...reply, isAnonymous };
    }

    const target = checkTarget(run.guard, url, URL.parse(location, url.href), 'host');
    if (redirects === MAX_REDIRECTS) {
      const text = ` redirects more than ${MAX_REDIRECTS} times`;
      throw new Failure({ kind: 'limit', url, text });
    }

    // 303 says that the answer to a POST can be read at another address with GET (RFC 9110, section 15.4.4).
    if (reply.status === 303 && sent.method === 'POST') {
      sent = { ...sent, method: 'GET', body: undefined };
    }

    // No credentials after a redirect to another origin, not even back at the first origin.
    isAnonymous ||= target.origin !== url.origin;
    url = target;
  }
}

/** Throws a `Failure` for a reply without the document, except one with status 401. */
function checkReply(
  { clock }: HttpRun,
  { method, mayBeEmpty }: HttpRequest,
  reply: Reply,
  conditions: Record<string, string>,
): void {
  const { url, status } = reply;
  if (status === 401 || (status === 304 && Object.keys(conditions).length > 0)) {
    return;
  }

  if (status !== 200) {
    throw createStatusFailure(reply, clock.now());
  }

  if (method !== 'HEAD' && reply.body.length === 0 && mayBeEmpty !== true) {
    throw new Failure({ kind: 'content', url, text: ' answered 200 with an empty body', status });
  }
}

/** Throws a `Failure` for a 401, with the remedy. */
export function expectAuthorized(
  { credentials }: HttpRun,
  request: HttpRequest,
  { url, status, isAnonymous }: FinalReply,
): void {
  if (status !== 401) {
    return;
  }

  const npmAdvice = request.asNpm === true ? " or a token in npm's configuration" : '';
  let advice = `If it is private, set ${credentials.chooseVariable(url)}${npmAdvice}.`;
  if (isAnonymous) {
    advice = `Credentials are not sent on to ${url.origin}.`;
  } else if (credentials.find(url, request) !== undefined) {
    advice = 'The credential does not give access.';
  }

  throw new Failure({ kind: 'refused', url, status, text: ' answered 401', advice });
}

/** The address of a redirect or token service, without its fragment. Throws a `Failure` for one that must not be requested. */
export function checkTarget(
  guard: AddressGuard,
  from: URL,
  target: URL | null,
  namedBy: 'person' | 'host',
): URL {
  const reject = (text: string) =>
    new Failure({ kind: 'forbidden', url: from, text: ` leads to ${text}` });
  if (!target) {
    throw reject('an address that is not a URL');
  }

  const isDowngrade = from.protocol === 'https:' && target.protocol === 'http:';
  const problem = isDowngrade ? 'is not https:' : guard.findProblem(target, namedBy);
  if (problem !== undefined) {
    throw reject(`${showUrl(target)}, which ${problem}`);
  }

  target.hash = '';
  return target;
}
