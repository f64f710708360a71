import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { collect, maxBytes as usualMaxBytes } from '../../core/http-limits.ts';
import { Failure } from './failures.ts';

export interface HttpRequest {
  url: string;
  method?: 'GET' | 'HEAD' | 'POST';
  /** The header `Accept`; JSON where absent. A web page is an error unless it names `text/html`. */
  accept?: string;
  headers?: Record<string, string>;
  /** Of a `POST` that only reads, and may be repeated. */
  body?: string;
  /** Also sends the credentials of npm's configuration. */
  asNpm?: boolean;
  /** The scope of the token that answers a registry's 401: `repository:library/alpine:pull`. */
  tokenScope?: string;
  /** Limit of the unpacked body. */
  maxBytes?: number;
  /** The address that led here, if another did: what has another origin gets no credential. */
  from?: string;
}

export interface Reply {
  url: URL;
  status: number;
  headers: Headers;
  /** Every body is kept for the run, so it is kept packed by gzip. */
  packed: Buffer;
}

/** Connections, through the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Over HTTP/1.1, a cut body is certain to be noticed. */
export function createAgent(): Dispatcher {
  return new EnvHttpProxyAgent({
    allowH2: false,
    connectTimeout: 8000,
    headersTimeout: 20_000,
    maxHeaderSize: 64 * 1024,
  });
}

export interface Connection {
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
  const {
    method = 'GET',
    accept = 'application/json',
    headers,
    body,
    maxBytes = usualMaxBytes,
  } = request;
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
  // An error of a body that was given up would end the process.
  response.body.on('error', () => undefined);
  const reply = {
    url,
    status: response.statusCode,
    // A header that was sent several times is a list, which its text joins by commas.
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
    // Read to its end, a short body keeps the connection for the next request.
    await response.body.dump({ limit: 64 * 1024 });
    return { ...reply, packed: Buffer.alloc(0) };
  }

  const sent = await collect(response.body, maxBytes);
  if (!sent) {
    throw createSizeFailure(maxBytes);
  }
  if (/gzip/.test(reply.headers.get('content-encoding') ?? '')) {
    await checkPacked(sent, maxBytes);
    return { ...reply, packed: sent };
  }
  return { ...reply, packed: await promisify(gzip)(sent, { level: 1 }) };
}

/** Not undici's `interceptors.decompress`, nor its `fetch`, which both accept a packed body that ends early. */
async function checkPacked(packed: Buffer, maxBytes: number): Promise<void> {
  try {
    await promisify(gunzip)(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? createSizeFailure(maxBytes)
      : new Failure(`the answer was cut, or is no gzip (${code})`, {
          verb: 'failed',
          outlook: 'passing',
          cause: error,
        });
  }
}

function createSizeFailure(maxBytes: number): Failure {
  return new Failure(`is bigger than the ${maxBytes / 2 ** 20} MiB we read`);
}
