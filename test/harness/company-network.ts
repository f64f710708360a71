import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder, writeIn } from './root.ts';

/** A certificate for localhost of an authority that nobody knows. */
export function ownAuthority(): { ca: string; cert: string; key: string } {
  const folder = temporaryFolder();
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const subject = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`];
  openssl('req', '-x509', ...subject('Corp'), '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2');
  openssl('req', ...subject('localhost'), '-keyout', 'key.pem', '-out', 'request.pem');
  writeIn(folder, 'names', 'subjectAltName=DNS:localhost');
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
