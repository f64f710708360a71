import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Server as SocketServer } from 'node:net';

/** Listens on a free port of 127.0.0.1. `origin`: without a slash at its end. */
export async function listen(server: Server | SocketServer) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      if ('closeAllConnections' in server) {
        server.closeAllConnections();
      }
    },
  };
}
