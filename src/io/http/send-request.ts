import type { Dispatcher } from 'undici';
import { quote, toLine } from '../../core/text/foreign-text.ts';
import { decode } from '../files/read-documents.ts';
import { Failure } from './error.ts';
import { createNetworkFailure, formatSeconds } from './failures.ts';
import { parseHttpDate, type HttpHeaders } from './http-headers.ts';
import { unpack } from './gzip.ts';
import { jsonType, type HttpRequest, type Reply } from './request.ts';
import type { HttpRun } from './http-run.ts';

/** Reading an unused body to its end keeps the connection for the next request. A longer body is not worth it. */
const UNUSED_BYTES = 64 * 1024;

type ReplyHead = Omit<Reply, 'body'>;

/** Sends one request, without redirects or repeats. `headers`: those of the request and of this attempt. Throws a `Failure`. */
export async function sendRequest(
  run: HttpRun,
  url: URL,
  request: HttpRequest,
  headers: Record<string, string>,
): Promise<Reply> {
  const { limits, proxies } = run;
  const deadline = AbortSignal.timeout(limits.totalMs);
  try {
    run.signal.throwIfAborted();

    return await requestReply(run, url, request, headers, AbortSignal.any([run.signal, deadline]));
  } catch (error) {
    if (run.signal.aborted) {
      throw new Failure({ kind: 'aborted', url, text: ': the run was stopped' });
    }
    if (deadline.aborted) {
      const text = `: not complete in ${formatSeconds(limits.totalMs)}`;
      throw new Failure({ kind: 'limit', url, text });
    }

    throw createNetworkFailure(error, url, limits, proxies);
  }
}

async function requestReply(
  { agent, counts, limits, userAgent }: HttpRun,
  url: URL,
  request: HttpRequest,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Reply> {
  counts.requests++;

  const response = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: request.method ?? 'GET',
    headers: {
      'user-agent': userAgent,
      accept: (request.accept ?? jsonType).join(', '),
      'accept-encoding': 'gzip',
      ...(request.body && { 'content-type': request.body.type }),
      ...headers,
    },
    body: request.body?.text ?? null,
    signal,
  });

  const { body } = response;
  // An error that comes after the body was given up would end the process.
  body.on('error', () => undefined);

  const head = { url, status: response.statusCode, headers: joinHeaders(response.headers) };
  const serverTime = parseHttpDate(head.headers.get('date'));
  if (serverTime > (counts.latestDate ?? 0)) {
    counts.latestDate = serverTime;
  }

  try {
    const { maxBytes = limits.maxBytes } = request;
    return { ...head, body: await readBody(body, head, request, maxBytes) };
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** undici has the values of a repeated header as a list, and reads them as Latin-1. Some hosts write addresses in UTF-8. */
function joinHeaders(headers: Dispatcher.ResponseData['headers']): HttpHeaders {
  const joined = new Map<string, string>();
  for (const [name, values = ''] of Object.entries(headers)) {
    const value = [values].flat().join(', ');
    joined.set(name, decode(Buffer.from(value, 'latin1')) ?? value);
  }
  return joined;
}

async function readBody(
  body: Dispatcher.ResponseData['body'],
  head: ReplyHead,
  request: HttpRequest,
  maxBytes: number,
): Promise<Buffer> {
  if (head.status === 200) {
    expectType(head, request);
  }

  if (head.status !== 200 || request.method === 'HEAD') {
    // The status is valid even if the body never arrives.
    await body.dump({ limit: UNUSED_BYTES }).catch(() => undefined);
    return Buffer.alloc(0);
  }

  const packed = await collectBytes(body, head.url, maxBytes);
  return packed.length === 0 ? packed : unpackBytes(packed, head, maxBytes);
}

async function collectBytes(
  body: AsyncIterable<Buffer>,
  url: URL,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) {
      throw createSizeFailure(url, maxBytes);
    }

    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function unpackBytes(
  packed: Buffer,
  { url, headers }: ReplyHead,
  maxBytes: number,
): Promise<Buffer> {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') {
    return packed;
  }

  // x-gzip means the same (RFC 9110, section 8.4.1.3).
  if (!/^(?:x-)?gzip$/.test(encoding)) {
    const text = ` has the unknown encoding ${quote(encoding)}`;
    throw new Failure({ kind: 'content', url, text });
  }

  try {
    return await unpack(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw createSizeFailure(url, maxBytes);
    }
    if (code === 'Z_BUF_ERROR') {
      const text = ': the answer was cut';
      throw new Failure({ kind: 'trouble', url, text, retry: 'backoff', cause: error });
    }

    const text = ` is not ${encoding} as it says (${code})`;
    throw new Failure({ kind: 'content', url, text, cause: error });
  }
}

function createSizeFailure(url: URL, maxBytes: number): Failure {
  const text = ` is bigger than the ${maxBytes / 2 ** 20} MiB we read`;
  return new Failure({ kind: 'limit', url, text });
}

/** Throws a `Failure` for a media type that the request does not accept. */
function expectType(
  { url, headers }: ReplyHead,
  { accept = jsonType, alsoAccept = [] }: HttpRequest,
): void {
  const type = readMediaType(headers.get('content-type'));
  const ranges = [...accept, ...alsoAccept];

  // Without a type, the content decides (RFC 9110, section 8.3).
  if (type === '' || ranges.some((range) => includesType(readMediaType(range), type))) {
    return;
  }

  const text = ` has the unexpected type ${toLine(type, 100)}`;
  const isPage = type === 'text/html' || type === 'application/xhtml+xml';
  const advice = isPage ? 'The address may be a web page rather than a repository.' : undefined;
  throw new Failure({ kind: 'content', url, text, status: 200, advice });
}

/**
 * Whether a range includes a media type. `application/json` admits `+json` (RFC 6839); `application/xml` and `text/xml` admit
 * each other and `+xml` (RFC 7303). Wildcards mean the same as in `Accept`.
 */
function includesType(range: string, type: string): boolean {
  if (range === '*/*' || range === type) {
    return true;
  }
  if (range.endsWith('/*')) {
    return type.startsWith(range.slice(0, -1));
  }
  if (range === 'application/json') {
    return type.endsWith('+json');
  }

  const isXml = (name: string) => name === 'application/xml' || name === 'text/xml';
  return isXml(range) && (isXml(type) || type.endsWith('+xml'));
}

function readMediaType(value = ''): string {
  return value.replace(/;.*/s, '').trim().toLowerCase();
}
