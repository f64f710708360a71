import type { RequestListener, ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { onTestFinished } from 'vitest';
import { createHttp, type Http, type HttpResponse } from '../../../src/io/http/client.ts';
import type { HttpOptions } from '../../../src/io/http/http-run.ts';
import { HttpError } from '../../../src/io/http/error.ts';
import type { HttpRequest } from '../../../src/io/http/request.ts';
import type { Clock } from '../../../src/io/http/hosts.ts';
import { startUpstream } from '../../harness/upstream.ts';

export type TestServer = Awaited<ReturnType<typeof serve>>;

/** A real server on a free loopback port, closed after the test. */
export async function serve(listener: RequestListener) {
  const { url, requests, close } = await startUpstream(() => listener);
  onTestFinished(close);
  const { origin, port } = new URL(url);
  /** `url`: an address on it. `requests`: those received, oldest first. */
  return { origin, url: `${origin}/x`, port: Number(port), requests };
}

export function serveJson(
  value: unknown,
  headers: Record<string, string> = {},
): Promise<TestServer> {
  return serve((_request, response) => json(response, value, headers));
}

/** A server that has only a status to answer. */
export function serveStatus(
  code: number,
  headers: Record<string, string> = {},
): Promise<TestServer> {
  return serve((_request, response) => status(response, code, headers));
}

export function json(
  response: ServerResponse,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(value));
}

export function status(
  response: ServerResponse,
  code: number,
  headers: Record<string, string> = {},
): void {
  // The clock of the server, as that of the client before it sleeps.
  const date = new Date(fakeClock().now()).toUTCString();
  response.writeHead(code, { date, ...headers }).end();
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
    repositoryUrl: 'https://test.example',
    clock: fakeClock(),
    ...options,
  });
  onTestFinished(() => http.close());
  return http;
}

const JSON_ONLY = ['application/json'] as const;

/** Fetches a JSON document, with a client of its own unless one is given. */
export function get(
  url: string,
  http: Http = client(),
  request: Partial<HttpRequest> = {},
): Promise<HttpResponse> {
  return http.fetch({ url, accept: JSON_ONLY, ...request });
}

/** The `HttpError` that a fetch ends with. */
export async function failureOf(fetching: Promise<unknown>): Promise<HttpError> {
  const error = await fetching.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) {
    throw new Error(`expected an HttpError, got ${String(error)}`);
  }
  return error;
}

/** A lookup that knows only these names, and remembers which it was asked for. */
export function namesOf(names: Record<string, string>): {
  lookup: LookupFunction;
  asked: string[];
} {
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
