import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { contentSecurityPolicy } from '../../src/render/html/security-policy.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
};

export interface StaticServer {
  /** Without a slash at its end. */
  url: string;
  close(): Promise<void>;
}

/** Serves a built site on loopback with the headers that the host sends with pages. */
export async function serveFolder(folder: string): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const path = join(folder, normalize(decodeURIComponent(pathname === '/' ? '/index.html' : pathname)));
    const isFound = path.startsWith(folder) && existsSync(path) && statSync(path).isFile();
    const file = isFound ? path : join(folder, '404.html');
    response.writeHead(isFound ? 200 : 404, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy,
      'cache-control': isFound ? 'public, max-age=3600' : 'no-store',
      'content-encoding': 'gzip',
      'x-content-type-options': 'nosniff',
    });
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
