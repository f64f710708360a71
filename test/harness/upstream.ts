/** Starts servers on loopback that imitate upstreams. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

/** The answer of an upstream at one path. */
export interface Document {
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}
/** The answers of an upstream, by path with query. */
export type Documents = Readonly<Record<string, Document>>;
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Upstream {
  /** `http://127.0.0.1:<port>/` */
  url: string;
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Returns one entry for each request so far, such as `GET /path`. */
  asked(): string[];
}

/** Starts an upstream that answers until the test ends. It records all requests. */
export async function startUpstream(createHandler: (url: string) => Handler): Promise<Upstream> {
  const server = createServer();
  const url = `${await listen(server)}/`;
  const requests: Upstream['requests'] = [];
  server.on('request', ({ method = '', url: path = '', headers }) => {
    requests.push({ method, path, headers });
  });
  // The handler is created only now, because its documents may contain the server's address.
  server.on('request', createHandler(url));
  return { url, requests, asked: () => requests.map(({ method, path }) => `${method} ${path}`) };
}

/** Creates a handler that gives the same answer to every request. */
export function reply(
  status: number,
  headers: Record<string, string> = {},
  body: string | Buffer = '{}',
): Handler {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

/** Creates the handler of a server that works: it serves the documents, and answers 404 for all other paths. */
export function serve(documents: Documents): Handler {
  return (request, response) => {
    const document = documents[request.url!];
    if (!document) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': document.type, ...document.headers });
    response.end(request.method === 'HEAD' ? '' : document.body);
  };
}

/** Serves these answers by path. All values except strings are served as JSON. Returns the origin, without a slash at its end. */
export function serveAnswers(answers: Readonly<Record<string, unknown>>): Promise<string> {
  return listen((request, response) => {
    const answer = answers[decodeURIComponent(request.url!)];
    const document = typeof answer === 'string' ? text(answer) : json(answer);
    serve(answer === undefined ? {} : { [request.url!]: document })(request, response);
  });
}

export function json(value: unknown, headers: Record<string, string> = {}): Document {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(value), headers };
}

export function text(body: string | Buffer, type = 'text/plain'): Document {
  return { type, body };
}

export function mapDocuments(
  documents: Documents,
  change: (document: Document) => Document,
): Documents {
  return Object.fromEntries(
    Object.entries(documents).map(([path, document]) => [path, change(document)]),
  );
}
