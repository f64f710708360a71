import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { explainForeignRequest } from '../../ask/server/worker/local-request.ts';
import { findHeaders } from '../../site/render/headers.ts';

export interface StaticServer {
  /** Without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** Serves a built site on loopback with the headers that hosts should send. Rejects if the port is in use. */
export async function serveFolder(folder: string, port = 0): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const { host, origin } = request.headers;
    const reason = explainForeignRequest(host, origin);
    if (reason !== undefined) {
      return response.writeHead(403).end(`${reason}\n`);
    }

    // File names of a site need no percent-decoding. A path such as `//` is no address for the class URL.
    const [pathname = ''] = request.url!.split('?');
    const fileName = pathname === '/' ? 'index.html' : normalize(pathname).slice(1);
    const path = join(folder, fileName);
    const isFound = path.startsWith(folder) && existsSync(path) && statSync(path).isFile();
    const file = isFound ? path : join(folder, '404.html');
    response.setHeaders(new Map(findHeaders(isFound ? fileName : '404.html')));
    response.writeHead(isFound ? 200 : 404);
    pipeline(createReadStream(file), response).catch(() => response.destroy());
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
