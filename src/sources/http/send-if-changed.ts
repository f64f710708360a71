import { hash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { githubApi } from './authorization.ts';
import type { Store } from './kept.ts';
import { send, usualAccept, type Connection, type HttpRequest, type Reply } from './send.ts';

interface Sender extends Connection {
  store: Store | undefined;
}

/** Sends one request. If the host says that the kept answer is still its own, that is the reply. */
export async function sendIfChanged(
  sender: Sender,
  request: HttpRequest,
  url: URL,
  authorization: string | undefined,
): Promise<Reply> {
  const { method = 'GET', accept = usualAccept, headers, keep } = request;
  const { store } = sender;
  if (!store || method !== 'GET' || keep === 'never') {
    return send(sender, request, url, authorization);
  }

  const key = JSON.stringify([url.href, accept, headers]);
  const kept = keep === 'anew' ? undefined : store.find(key);
  const { etag, 'last-modified': modified } = kept?.headers ?? {};
  const isGithub = authorization && url.origin === githubApi;
  const tag = kept && isGithub ? nameTag(`${accept}:${authorization}:`, kept.packed) : etag;
  const conditions = {
    ...(tag && { 'if-none-match': tag }),
    ...(modified && { 'if-modified-since': modified }),
  };
  const asked = { ...request, headers: { ...headers, ...conditions } };
  const reply = await send(sender, asked, url, authorization);
  const forget = () => store.remove(key);
  if (kept && reply.status === 304) {
    const merged = new Headers({ ...kept.headers, ...Object.fromEntries(reply.headers) });
    return { ...reply, status: 200, headers: merged, packed: kept.packed, isKept: true, forget };
  }

  const isStorable = !/no-store/i.test(reply.headers.get('cache-control') ?? '');
  const hasTest = reply.headers.has('etag') || reply.headers.has('last-modified');
  if (reply.status === 200 && isStorable && hasTest) {
    store.keep(key, reply.headers, reply.packed);
  }
  return { ...reply, forget };
}

/**
 * GitHub's tag is one for each token, and its Actions have another one for each run: the SHA-256 of `Accept`, `Authorization` and the body
 * (github.com/bored-engineer/github-conditional-http-transport). If it is so no longer, the whole answer comes.
 */
function nameTag(start: string, packed: Buffer): string {
  return `"${hash('sha256', Buffer.concat([Buffer.from(start), zstdDecompressSync(packed)]))}"`;
}
