import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { headersFor } from '../../../src/site/render/headers.ts';

export interface StaticServer {
  /** Without a slash at its end. */
  url: string;
  close(): Promise<void>;
}

/** Serves a built site on loopback with the headers of the host. */
export async function serveFolder(folder: string): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const path = join(folder, normalize(decodeURIComponent(pathname === '/' ? '/index.html' : pathname)));
    const isFound = path.startsWith(folder) && existsSync(path) && statSync(path).isFile();
    const file = isFound ? path : join(folder, '404.html');
    response.setHeaders(new Map(headersFor(basename(file))));
    response.setHeader('content-encoding', 'gzip');
    response.writeHead(isFound ? 200 : 404);
    pipeline(createReadStream(file), createGzip(), response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
