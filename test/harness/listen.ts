import { once } from 'node:events';
import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished, TestRunner } from 'vitest';

/**
 * Starts a server on a free port of 127.0.0.1. Returns its origin, without a slash at the end. The server is closed when the test ends.
 * Outside a test, it stays open.
 */
export async function listen(answer: RequestListener | Server): Promise<string> {
  const server = typeof answer === 'function' ? createServer(answer) : answer;
  if (server instanceof HttpServer) {
    // The server never closes idle connections. Otherwise, a busy process could close a connection at the moment when the next request
    // arrives.
    server.keepAliveTimeout = 0;
  }
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  if (TestRunner.getCurrentTest()) {
    onTestFinished(() => {
      server.close();
      if (server instanceof HttpServer) {
        server.closeAllConnections();
      }
    });
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
