import type { Readable } from 'node:stream';
import { type Dispatcher, interceptors } from 'undici';
import { LocalAddressError } from './address-guard.ts';
import type { HttpHeaders } from './error.ts';
import { bytes, Failure, seconds } from './failure.ts';
import type { Place } from './large-bodies.ts';
import type { HttpLimits } from './limits.ts';
import { networkFailure } from './network.ts';
import { quote, toLine } from '../../core/text.ts';

export interface ExchangeRequest {
  url: URL;
  method: 'GET' | 'HEAD' | 'POST';
  body: string | undefined;
  headers: Record<string, string>;
  maxBytes: number;
  limits: HttpLimits;
  signal: AbortSignal;
  proxies: readonly URL[];
  place: Place;
  /** whether the body is wanted; throws a `Failure` for an answer that is not */
  wantsBody(head: Head): boolean;
}

export interface Head {
  status: number;
  headers: HttpHeaders;
}

export interface Exchanged extends Head {
  /** empty where it was not wanted; of an error answer, where it begins */
  body: Buffer;
}

// Reading on keeps the connection for the next request; beyond this it is not worth it.
const DISCARD_BYTES = 64 * 1024;
const SAID_BYTES = 4 * 1024;
const MAX_ENCODINGS = 2;

/** Bodies of these are not read. */
const WITHOUT_BODY = [204, 301, 302, 303, 304, 307, 308];

// On its first use undici warns that the interceptor is experimental, among the messages of the command line.
const { emitWarning } = process;
process.emitWarning = () => undefined;
interceptors.decompress();
process.emitWarning = emitWarning;

/** One request and its answer, without redirects or repeats. Throws a `Failure`. */
export async function exchange(agent: Dispatcher, request: ExchangeRequest): Promise<Exchanged> {
  const { url, limits, signal, maxBytes } = request;
  let sent: HttpHeaders = new Map();
  const unpacking = agent.compose(
    noting((headers) => (sent = flatten(headers))),
    interceptors.decompress({ maxSize: maxBytes, skipStatusCodes: WITHOUT_BODY }),
  );
  // AbortSignal.timeout would stay until its time is over, minutes after the answer.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), limits.totalMs);
  try {
    const answer = await unpacking.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal: AbortSignal.any([signal, deadline.signal]),
    });
    const head: Head = { status: answer.statusCode, headers: sent };
    const unread = flatten(answer.headers).get('content-encoding');
    return { ...head, body: await take(answer.body, head, unread, request) };
  } catch (error) {
    throw explain(error);
  } finally {
    clearTimeout(timer);
  }

  function explain(error: unknown): Failure {
    if (signal.aborted) return abortFailure(url);
    if (deadline.signal.aborted) {
      return new Failure({ kind: 'limit', url, text: `: not complete in ${seconds(limits.totalMs)}` });
    }
    if (error instanceof LocalAddressError) {
      const text = `: the host leads to ${error.addresses.join(', ')}, an address in a local network`;
      return new Failure({ kind: 'forbidden', url, text, cause: error });
    }
    const failure = bodyFailure(error, request, sent.get('content-encoding'));
    return failure ?? networkFailure(error, url, limits, request.proxies);
  }
}

export function abortFailure(url: URL): Failure {
  return new Failure({ kind: 'aborted', url, text: ': stopped, as the run was' });
}

type RawHeaders = Record<string, string | string[] | undefined>;

/** Hands on the headers as they were sent: `decompress` removes those that say how a body is packed. */
function noting(note: (headers: RawHeaders) => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (...start) => handler.onRequestStart?.(...start),
      onResponseStart(controller, status, headers, text) {
        note(headers);
        handler.onResponseStart?.(controller, status, headers, text);
      },
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...error) => handler.onResponseError?.(...error),
    });
}

type Body = Readable & { dump(options: { limit: number }): Promise<void> };

/** `unread` is the encoding that undici left as it is. */
async function take(
  body: Body,
  head: Head,
  unread: string | undefined,
  request: ExchangeRequest,
): Promise<Buffer> {
  const { url, limits } = request;
  try {
    if (!request.wantsBody(head)) {
      if (head.status >= 400) return await readStart(body);
      await body.dump({ limit: DISCARD_BYTES });
      return Buffer.alloc(0);
    }
    const announced = Number(head.headers.get('content-length'));
    if (announced > limits.maxTransferBytes) {
      throw tooBig(url, limits.maxTransferBytes, `announced as ${bytes(announced)}`);
    }
    const isTooDeep = packedTooDeep(url, head.headers.get('content-encoding'));
    if (isTooDeep) throw isTooDeep;
    if (unread !== undefined && unread.toLowerCase() !== 'identity') {
      throw new Failure({ kind: 'content', url, text: ` has the unknown encoding ${quote(unread)}` });
    }
    return await read(body, request);
  } catch (error) {
    body.on('error', () => undefined).destroy();
    throw error;
  }
}

/** What an error answer begins with. Its status counts also where the rest of it never comes. */
async function readStart(body: Body): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (size < SAID_BYTES) chunks.push(chunk);
      size += chunk.length;
      if (size > DISCARD_BYTES) break;
    }
  } catch {
    // The signal of the run is looked at before the next request.
  }
  return Buffer.concat(chunks).subarray(0, SAID_BYTES);
}

async function read(body: Body, { url, limits, maxBytes, place }: ExchangeRequest): Promise<Buffer> {
  const { paceMs, minBytesPerS, largeBytes } = limits;
  const chunks: Buffer[] = [];
  let size = 0;
  let sizeBefore = 0;
  let isWaiting = false;
  const pace = setInterval(() => {
    const isSlow = (size - sizeBefore) * 1000 < minBytesPerS * paceMs;
    sizeBefore = size;
    if (isSlow && !isWaiting) body.destroy(tooSlow(url, limits));
  }, paceMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooBig(url, maxBytes);
      chunks.push(chunk);
      if (size <= largeBytes) continue;
      isWaiting = true;
      await place.take();
      isWaiting = false;
    }
  } finally {
    clearInterval(pace);
  }
  return Buffer.concat(chunks);
}

function tooSlow(url: URL, { paceMs, minBytesPerS }: HttpLimits): Failure {
  const text = `: the answer brings less than ${bytes(minBytesPerS)} a second, over ${seconds(paceMs)}`;
  return new Failure({ kind: 'limit', url, text });
}

/** The failure for a body that undici refuses to read; undefined where the connection is at fault. */
function bodyFailure(
  error: unknown,
  { url, limits, maxBytes }: ExchangeRequest,
  encoding: string | undefined,
): Failure | undefined {
  if (!(error instanceof Error) || error instanceof Failure) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    const isUnpacked = error.message.startsWith('Decompressed');
    return isUnpacked
      ? tooBig(url, maxBytes, 'unpacked')
      : tooBig(url, limits.maxTransferBytes, 'on the way');
  }
  if (error.message.startsWith('too many content-encodings')) return packedTooDeep(url, encoding);
  if (code === 'Z_BUF_ERROR') {
    const text = ': the answer was cut';
    return new Failure({ kind: 'trouble', url, text, retry: 'backoff', cause: error });
  }
  if (!/^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING|ZSTD_|ERR_ZLIB)/.test(code)) return undefined;
  return new Failure({
    kind: 'content',
    url,
    text: ` is not ${toLine(encoding ?? '', 40)} as it says (${code})`,
    cause: error,
  });
}

function packedTooDeep(url: URL, encoding = ''): Failure | undefined {
  const times = encoding.split(',').length;
  if (times <= MAX_ENCODINGS) return undefined;
  return new Failure({ kind: 'content', url, text: ` is packed ${times} times over (${quote(encoding)})` });
}

function tooBig(url: URL, limit: number, how?: string): Failure {
  const text = ` is bigger than the ${bytes(limit)} we read${how === undefined ? '' : ` (${how})`}`;
  return new Failure({ kind: 'limit', url, text });
}

/** Lower-case names; a header sent more than once is joined. */
function flatten(headers: RawHeaders): HttpHeaders {
  const flat = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value);
  }
  return flat;
}
