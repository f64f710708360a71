import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type Dispatcher, EnvHttpProxyAgent, interceptors, Pool } from 'undici';
import { collect, maxBytes as usualMaxBytes } from '../../core/http-limits.ts';
import { createProxyOptions } from '../../core/proxies.ts';
import { githubApi } from './credentials.ts';
import { Failure } from './failures.ts';
import type { Store } from './kept.ts';

const usualAccept = 'application/json';

export interface HttpRequest {
  url: string;
  method?: 'GET' | 'HEAD' | 'POST';
  /** The header `Accept`, by default JSON. A web page as an answer is an error, unless this header accepts web pages. */
  accept?: string;
  headers?: Record<string, string>;
  /** The body of a `POST` request that only reads, so it may be repeated. */
  body?: string;
  /** Whether credentials from npm's configuration are also sent. */
  asNpm?: boolean;
  /** The scope of the token to request after a registry's 401: `repository:library/alpine:pull`. */
  tokenScope?: string;
  /** The greatest size of the unpacked body in bytes. */
  maxBytes?: number;
  /** The URL of the first request, if that request led to this URL. If the two URLs have different origins, no credential is sent. */
  from?: string;
  /** `anew`: requests the whole document, even if an answer is kept. `never`: the answer is not written to disk. */
  keep?: 'anew' | 'never';
}

export interface Reply {
  url: URL;
  status: number;
  headers: Headers;
  /** The body, compressed with zstd, because every body stays in memory during the run. */
  packed: Buffer;
  /** The URL to which the document has permanently moved, according to its host. */
  movedTo?: string | undefined;
  /** Whether the host said that the document has not changed since an earlier run. */
  isKept?: boolean;
  /** Removes the kept answer, so that later runs request the document in full. */
  forget?(): void;
}

/**
 * Creates connections through the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. In HTTP/1.1, a body that ends early is always an error,
 * so HTTP/2 is off. `decompress` throws for a compressed body that ends early, but undici's `fetch` would accept it.
 */
export function createAgent(): Dispatcher {
  return new EnvHttpProxyAgent({
    ...createProxyOptions(Pool),
    allowH2: false,
    connectTimeout: 8000,
    headersTimeout: 20_000,
    maxHeaderSize: 64 * 1024,
  }).compose(interceptors.decompress());
}

interface Connection {
  agent: Dispatcher;
  userAgent: string;
  limitMs: number;
  signal: AbortSignal;
}

/** Sends one request, without redirects or repeats. */
export async function send(
  { agent, userAgent, limitMs, signal }: Connection,
  request: HttpRequest,
  url: URL,
  authorization: string | undefined,
): Promise<Reply> {
  const { method = 'GET', accept = usualAccept, headers, body, maxBytes = usualMaxBytes } = request;
  const deadline = AbortSignal.timeout(limitMs);
  const response = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      'user-agent': userAgent,
      accept,
      'accept-encoding': 'gzip',
      ...headers,
      ...(authorization && { authorization }),
    },
    body: body ?? null,
    signal: AbortSignal.any([signal, deadline]),
  });
  // Without this listener, an error of a body that nobody reads would end the process.
  response.body.on('error', () => undefined);
  const reply = {
    url,
    status: response.statusCode,
    // A header that was sent several times is an array here. Converted to text, its values are joined by commas.
    headers: new Headers(
      Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
  };

  const type = reply.headers.get('content-type') ?? '';
  const isPage = /^(text\/html|application\/xhtml)/i.test(type);
  const acceptsPages = /html|\*\/\*/.test(accept);
  if (reply.status === 200 && isPage && !acceptsPages) {
    response.body.destroy();
    throw new Failure(
      `is a web page (${type.split(';', 1)[0]}), maybe not the address of a repository`,
      { status: 200 },
    );
  }
  if (method === 'HEAD' || reply.status !== 200) {
    // If a short body is read to its end, the next request can reuse the connection.
    await response.body.dump({ limit: 64 * 1024 });
    return { ...reply, packed: Buffer.alloc(0) };
  }

  const sent = await collect(response.body, maxBytes);
  if (!sent) {
    throw new Failure(`is bigger than the limit of ${maxBytes / 2 ** 20} MiB`);
  }
  return { ...reply, packed: zstdCompressSync(sent) };
}

interface Sender extends Connection {
  store: Store | undefined;
}

/** Sends one request. If the host answers that the document has not changed, returns the kept answer. */
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
 * Computes the `ETag` that GitHub would give for a kept body. It is the SHA-256 of `Accept`, `Authorization` and the body
 * (github.com/bored-engineer/github-conditional-http-transport). GitHub Actions has another token in each run, so the `ETag` of an earlier
 * run would never match. If GitHub changes this rule, it sends the whole answer.
 */
function nameTag(start: string, packed: Buffer): string {
  return `"${hash('sha256', Buffer.concat([Buffer.from(start), zstdDecompressSync(packed)]))}"`;
}
