import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach } from 'vitest';
import { createHttp, type Http, type HttpOptions } from '../../../src/io/http/client.ts';
import { HttpError } from '../../../src/io/http/error.ts';
import type { Clock } from '../../../src/io/http/scheduling.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export function onCleanup(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup);
}

export interface TestServer {
  /** without a slash at the end */
  origin: string;
  port: number;
  /** the requests received, oldest first */
  requests: IncomingMessage[];
  paths(): string[];
}

/** A real server on a free loopback port, closed after the test. */
export async function serve(
  listener: RequestListener,
  options: { maxHeaderSize?: number } = {},
): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer(options, (request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    paths: () => requests.map(({ url = '' }) => url),
  };
}

export function json(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

export function status(response: ServerResponse, code: number, headers: Record<string, string> = {}): void {
  response.writeHead(code, headers).end();
}

/** Time that passes only by sleeping. */
export function fakeClock(start = Date.parse('2026-03-01T12:00:00Z')): Clock & { slept: number[] } {
  const slept: number[] = [];
  let at = start;
  return {
    slept,
    now: () => at,
    random: () => 0.5,
    async sleep(ms) {
      slept.push(ms);
      at += ms;
    },
  };
}

export function client(options: Partial<HttpOptions> = {}): Http {
  const http = createHttp({
    userAgent: 'release-index-test (https://example.org)',
    clock: fakeClock(),
    ...options,
  });
  onCleanup(() => http.close());
  return http;
}

export const JSON_ONLY = ['application/json'] as const;

/** The `HttpError` that a fetch ends with. */
export async function failureOf(fetching: Promise<unknown>): Promise<HttpError> {
  const error = await fetching.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw new Error(`expected an HttpError, got ${String(error)}`);
  return error;
}

/** A lookup that knows these names only, and counts how often it is asked. */
export function namesOf(names: Record<string, string>): { lookup: LookupFunction; asked: string[] } {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, options, callback) => {
    asked.push(hostname);
    const found = names[hostname];
    if (found === undefined || !/^[\d.]+$/.test(found)) {
      const code = found ?? 'ENOTFOUND';
      callback(Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code }), '', 0);
    } else if (options.all) {
      callback(null, [{ address: found, family: 4 }]);
    } else {
      callback(null, found, 4);
    }
  };
  return { lookup, asked };
}
