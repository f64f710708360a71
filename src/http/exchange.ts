import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { LocalAddressError } from './address-guard.ts';
import { readBody, refuseAnnounced } from './body.ts';
import type { HttpHeaders } from './error.ts';
import { Failure, seconds } from './failure.ts';
import type { HttpLimits } from './limits.ts';
import { networkFailure } from './network.ts';

export interface ExchangeRequest {
  url: URL;
  method: 'GET' | 'HEAD';
  headers: Record<string, string>;
  maxBytes: number;
  limits: HttpLimits;
  signal: AbortSignal;
  hasProxy: boolean;
  /** whether the body is wanted; throws a `Failure` for an answer that is not */
  wantsBody(head: Head): boolean;
}

export interface Head {
  status: number;
  headers: HttpHeaders;
}

export interface Exchanged extends Head {
  /** empty where it was not wanted */
  body: Buffer;
}

// More than this is not read of a body nobody wants, at the price of the connection.
const DISCARD_BYTES = 64 * 1024;

/** One request and its answer, without redirects or repeats. Throws a `Failure`. */
export async function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<Exchanged> {
  const { url, limits, signal } = request;
  // AbortSignal.timeout would stay until its time is over, minutes after the answer, for each of a million requests.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), limits.totalMs);
  try {
    const answer = await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: request.headers,
      signal: AbortSignal.any([signal, deadline.signal]),
    });
    const head: Head = { status: answer.statusCode, headers: flatten(answer.headers) };
    return { ...head, body: await take(answer.body, head, request) };
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
    return networkFailure(error, url, limits, request.hasProxy);
  }
}

export function abortFailure(url: URL): Failure {
  return new Failure({ kind: 'aborted', url, text: ': stopped, as the run was' });
}

type Body = Readable & { dump(options: { limit: number }): Promise<void> };

async function take(body: Body, head: Head, request: ExchangeRequest): Promise<Buffer> {
  const { url, limits } = request;
  try {
    if (!request.wantsBody(head)) {
      await body.dump({ limit: DISCARD_BYTES });
      return Buffer.alloc(0);
    }
    const most = { maxTransferBytes: limits.maxTransferBytes, maxBytes: request.maxBytes };
    refuseAnnounced(url, head.headers.get('content-length'), most);
    return await readBody(body, url, head.headers.get('content-encoding'), most);
  } catch (error) {
    body.on('error', () => undefined).destroy();
    throw error;
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): HttpHeaders {
  const flat = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value);
  }
  return flat;
}
