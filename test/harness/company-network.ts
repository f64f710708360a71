import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder, writeIn } from './root.ts';
import type { Handler } from './upstream.ts';

/** A certificate for these names of an authority that nobody knows. */
export function ownAuthority(names = ['localhost']): { ca: string; cert: string; key: string } {
  const folder = temporaryFolder();
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const subject = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`];
  openssl('req', '-x509', ...subject('Corp'), '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2');
  openssl('req', ...subject('localhost'), '-keyout', 'key.pem', '-out', 'request.pem');
  writeIn(folder, 'names', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`);
  const signing = [
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    'names',
  ];
  openssl('x509', '-req', '-in', 'request.pem', ...signing, '-out', 'cert.pem');
  return {
    ca: join(folder, 'ca.pem'),
    cert: join(folder, 'cert.pem'),
    key: join(folder, 'key.pem'),
  };
}

/** Listens on loopback until the test is done. */
export async function listenTo(server: Server): Promise<{ port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port };
}

/** A proxy that connects to whatever it is asked for. `seen`: each target with the headers that came. */
export async function openProxy(): Promise<{ address: string; seen: string[] }> {
  const seen: string[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    seen.push(`${request.url} ${JSON.stringify(request.headers)}`);
    const [host, port] = request.url!.split(':');
    const there = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    for (const end of [socket, there]) {
      end.on('error', () => undefined);
    }
  });
  const { port } = await listenTo(proxy);
  return { address: `http://127.0.0.1:${port}`, seen };
}

/** Hosts of the internet as these handlers imitate them, behind a proxy, and the variables of programs that reach them. */
export async function openInternet(
  hosts: Readonly<Record<string, Handler>>,
): Promise<Record<string, string>> {
  const { ca, cert, key } = ownAuthority(Object.keys(hosts));
  const credentials = { cert: readFileSync(cert), key: readFileSync(key) };
  const server = await listenTo(
    createTlsServer(credentials, (request, response) =>
      hosts[request.headers.host!]!(request, response),
    ),
  );
  const proxy = createServer().on('connect', (request, socket) => {
    const [host = ''] = request.url!.split(':');
    if (!(host in hosts)) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const there = connect(server.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    for (const end of [socket, there]) {
      end.on('error', () => undefined);
    }
  });
  const address = `http://127.0.0.1:${(await listenTo(proxy)).port}`;

  return { HTTPS_PROXY: address, NODE_EXTRA_CA_CERTS: ca, NO_PROXY: '127.0.0.1' };
}
