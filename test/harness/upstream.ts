import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an upstream answers at one path. */
export interface Document {
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}

/** Everything an upstream has, by path with query. */
export type Documents = ReadonlyMap<string, Document>;

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** 0 until the answer has ended. */
  status: number;
}

export interface Upstream {
  /** `http://127.0.0.1:<port>/` */
  url: string;
  requests: SeenRequest[];
  close(): Promise<void>;
}

/** A server on loopback. The handler is made once its address is known, so that documents can name it. */
export async function startUpstream(handlerAt: (url: string) => Handler): Promise<Upstream> {
  const requests: SeenRequest[] = [];
  let handler: Handler | undefined;
  const server = createServer((request, response) => {
    const seen = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      status: 0,
    };
    requests.push(seen);
    response.on('close', () => (seen.status = response.statusCode));
    handler!(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  handler = handlerAt(url);
  return {
    url,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** An address where nothing listens any more. */
export async function deadUrl(): Promise<string> {
  const upstream = await startUpstream(() => () => undefined);
  await upstream.close();
  return upstream.url;
}

/** A sound server: the documents, with entity tags, and 404 for everything else. */
export function serve(documents: Documents): Handler {
  return (request, response) => {
    const document = documents.get(request.url!);
    if (!document) {
      return answer(response, 404, 'text/plain', 'not here');
    }
    const etag = `"${createHash('sha256').update(document.body).digest('hex').slice(0, 16)}"`;
    for (const [name, value] of Object.entries(document.headers ?? {})) {
      response.setHeader(name, value);
    }
    response.setHeader('etag', etag);
    if (request.headers['if-none-match'] === etag) {
      return void response.writeHead(304).end();
    }
    answer(response, 200, document.type, request.method === 'HEAD' ? '' : document.body);
  };
}

export function answer(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

export function always(status: number, headers: Record<string, string> = {}): Handler {
  return (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end('no');
}

/** A sound server whose documents are not what they were. */
export function changed(documents: Documents, change: (document: Document) => Document): Handler {
  return serve(new Map(Array.from(documents, ([path, document]) => [path, change(document)])));
}

export function firstHalf(body: string | Buffer): Buffer {
  return Buffer.from(body as string).subarray(0, Math.floor(body.length / 2));
}

function typeOf(documents: Documents, { url }: { url?: string | undefined }): string {
  return documents.get(url!)?.type ?? 'application/json';
}

/** A body that never ends. */
export function endless(documents: Documents): Handler {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  return (request, response) => {
    response.writeHead(200, { 'content-type': typeOf(documents, request) });
    const more = () => {
      while (!response.destroyed && response.write(chunk)) {}
      if (!response.destroyed) {
        response.once('drain', more);
      }
    };
    more();
  };
}

export function redirects(location: (path: string) => string): Handler {
  return (request, response) =>
    void response.writeHead(302, { location: location(request.url!) }).end();
}
