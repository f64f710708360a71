import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { quote, toLine } from '../../core/text.ts';
import { LocalAddressError, type AddressGuard } from './address-guard.ts';
import type { BearerTokens } from './bearer-tokens.ts';
import { MAX_HEADER_BYTES, type HttpLimits } from './connections.ts';
import { bytes, Failure, seconds, type HttpHeaders } from './error.ts';
import type { Clock, Hosts } from './scheduling.ts';
import { networkFailure } from './failures.ts';
import type { OwnCredentials } from './own-credentials.ts';
import type { HttpRequest } from './messages.ts';

/** Everything that the requests of a run share. */
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
}

export interface Reply {
  status: number;
  headers: HttpHeaders;
  /** empty but for status 200 */
  body: Buffer;
}

/** Reading on keeps the connection for the next request; beyond this it is not worth it. */
const UNUSED_BYTES = 64 * 1024;

// Not by undici's `interceptors.decompress`, which is experimental and says so on standard error.
const UNPACKERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
  ['zstd', createZstdDecompress],
]);

/** Sends one request, without redirects or repeats. Throws a `Failure`. */
export async function sendRequest(
  run: Run,
  url: URL,
  request: HttpRequest,
  headers: Record<string, string>,
): Promise<Reply> {
  const { limits, signal } = run;
  if (signal.aborted) throw abortFailure(url);
  run.counts.requests++;
  // AbortSignal.timeout would stay until its time is over, long after the answer.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), limits.totalMs);
  try {
    const {
      statusCode,
      headers: received,
      body,
    } = await run.agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.method ?? 'GET',
      headers: {
        'user-agent': run.userAgent,
        accept: request.accept.join(', '),
        'accept-encoding': 'gzip, br',
        ...(request.body && { 'content-type': request.body.type }),
        ...headers,
      },
      body: request.body?.text ?? null,
      signal: AbortSignal.any([signal, deadline.signal]),
    });
    const reply = { status: statusCode, headers: flatten(received) };
    return {
      ...reply,
      body: await readBody(
        body.on('error', () => undefined),
        reply,
        url,
        request,
        limits,
      ),
    };
  } catch (error) {
    if (signal.aborted) throw abortFailure(url);
    if (deadline.signal.aborted)
      throw new Failure({ kind: 'limit', url, text: `: not complete in ${seconds(limits.totalMs)}` });
    throw explain(error, url, run);
  } finally {
    clearTimeout(timer);
  }
}

function abortFailure(url: URL): Failure {
  return new Failure({ kind: 'aborted', url, text: ': the run was stopped' });
}

function explain(error: unknown, url: URL, { limits, proxies }: Run): Failure {
  if (error instanceof LocalAddressError) {
    const text = `: the host leads to ${error.message}, an address in a local network`;
    return new Failure({ kind: 'forbidden', url, text, cause: error });
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    const text = ` answered with more than ${MAX_HEADER_BYTES} bytes of headers`;
    return new Failure({ kind: 'limit', url, text, cause: error });
  }
  return networkFailure(error, url, limits, proxies);
}

type Body = Readable & { dump(options: { limit: number }): Promise<void> };

async function readBody(
  body: Body,
  { status, headers }: Omit<Reply, 'body'>,
  url: URL,
  request: HttpRequest,
  limits: HttpLimits,
): Promise<Buffer> {
  try {
    if (status === 200) expectType(url, request, headers);
    if (status !== 200 || request.method === 'HEAD') {
      // The status counts even where the rest never comes.
      await body.dump({ limit: UNUSED_BYTES }).catch(() => undefined);
      return Buffer.alloc(0);
    }
    const { maxBytes = limits.maxBytes } = request;
    const announced = Number(headers.get('content-length'));
    if (announced > maxBytes) throw tooBig(url, maxBytes, ` (announced as ${bytes(announced)})`);
    const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
    return await readAll(unpack(body, encoding, url), encoding, url, maxBytes);
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** Throws a `Failure` for an answer of another type than the request accepts. */
function expectType(url: URL, { accept, alsoAccept = [] }: HttpRequest, headers: HttpHeaders): void {
  const type = mediaType(headers.get('content-type'));
  const accepted = [...accept, ...alsoAccept].map(mediaType);
  // An answer without a type is judged by its content (RFC 9110, section 8.3).
  if (type === '' || accepted.some((range) => admits(range, type))) return;
  const text = ` is ${type}, not ${[...new Set(accepted.map(shortName))].join(' or ')}`;
  const isPage = type === 'text/html' || type === 'application/xhtml+xml';
  const advice = isPage ? 'The address may be a web page rather than a repository.' : undefined;
  throw new Failure({ kind: 'content', url, text, status: 200, advice });
}

function unpack(body: Readable, encoding: string, url: URL): Readable {
  if (encoding === '' || encoding === 'identity') return body;
  const unpacker = UNPACKERS.get(encoding)?.();
  if (!unpacker)
    throw new Failure({ kind: 'content', url, text: ` has the unknown encoding ${quote(encoding)}` });
  // Errors reach the reader of the last stream.
  return pipeline(body, unpacker, () => undefined);
}

async function readAll(body: Readable, encoding: string, url: URL, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooBig(url, maxBytes, encoding === '' ? '' : ' (unpacked)');
      chunks.push(chunk);
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR')
      throw new Failure({
        kind: 'trouble',
        url,
        text: ': the answer was cut',
        retry: 'backoff',
        cause: error,
      });
    if (!/^(Z|ERR_(_|BROTLI|PADDING|ZLIB))/.test(code)) throw error;
    const text = ` is not ${toLine(encoding, 40)} as it says (${code})`;
    throw new Failure({ kind: 'content', url, text, cause: error });
  }
  return Buffer.concat(chunks);
}

function tooBig(url: URL, maxBytes: number, how: string): Failure {
  return new Failure({ kind: 'limit', url, text: ` is bigger than the ${bytes(maxBytes)} we read${how}` });
}

function flatten(headers: Record<string, string | string[] | undefined>): HttpHeaders {
  return new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]),
  );
}

/**
 * Whether a media type is of a range. `application/json` admits `+json` (RFC 6839) and `application/xml` admits `text/xml` and
 * `+xml` (RFC 7303); `text/*` and `*` + `/*` mean what they mean in `Accept`.
 */
function admits(range: string, type: string): boolean {
  if (range === '*/*' || range === type) return true;
  if (range.endsWith('/*')) return type.startsWith(range.slice(0, -1));
  if (range === 'application/json') return type.endsWith('+json');
  const isXml = (name: string) => name === 'application/xml' || name === 'text/xml';
  return isXml(range) && (isXml(type) || type.endsWith('+xml'));
}

function shortName(type: string): string {
  const format = /^(?:application|text)\/(?:x-|.*\+)?(json|xml|yaml|html)$/.exec(type)?.[1];
  return format ? format.toUpperCase() : type;
}

function mediaType(value = ''): string {
  return value.split(';')[0]!.trim().toLowerCase();
}
