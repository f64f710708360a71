import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address on loopback that is known before what answers at it, as a site is built for its address. */
export interface OpenAddress {
  /** Without a slash at its end. */
  readonly origin: string;
  /** From now on, requests go on to this address as they are. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

export async function openAddress(): Promise<OpenAddress> {
  let target = '';
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const onward = ask(target, { method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url) => void (target = url),
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
