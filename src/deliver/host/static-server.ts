import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { explainForeignRequest } from '../../ask/server/worker/local-request.ts';
import { findHeaders } from '../../site/render/headers.ts';

/**
 * Serves a built site on loopback with the headers that hosts should send. Rejects if the port is in use. `url`: without a trailing
 * slash.
 */
export async function serveFolder(folder: string, port = 0) {
  // A browser may reuse a connection in the moment in which the server closes it, and then wait for ever.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { headers, method = '', url = '' } = request;
    const reason = explainForeignRequest(headers.host, headers.origin);
    if (reason !== undefined) {
      return response.writeHead(403).end(`${reason}\n`);
    }
    if (!['GET', 'HEAD'].includes(method)) {
      return response.writeHead(405, { allow: 'GET, HEAD' }).end();
    }

    const requestedFile = findFile(folder, url);
    const file = requestedFile ?? '404.html';
    response.setHeaders(new Map(findHeaders(file)));
    response.writeHead(requestedFile === undefined ? 404 : 200);

    // The client went away, or the file did.
    pipeline(createReadStream(join(folder, file)), response).catch(() => response.destroy());
  });

  await once(server.listen(port, '127.0.0.1'), 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The file in a folder that a request names; undefined if there is none. */
function findFile(folder: string, url: string): string | undefined {
  // File names of a site need no percent-decoding. The class URL would reject a path such as `//`.
  const [path = ''] = url.split('?');

  // After a first `/`, no `..` leads out of the folder. A request can lack it, as in `*/../../x`.
  const file = path === '/' ? 'index.html' : normalize(`/${path}`).slice(1);
  try {
    return statSync(join(folder, file)).isFile() ? file : undefined;
  } catch {
    // There is no such file, or its name is too long. A build may replace the folder meanwhile.
    return undefined;
  }
}
