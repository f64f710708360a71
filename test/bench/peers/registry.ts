// An npm registry on loopback that has every package, each with a document of so many bytes and a few versions.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const size = Number(process.argv[2]);
const versions = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`1.${index}.0`, {}]));
const time = Object.fromEntries(
  Object.keys(versions).map((version, index) => [
    version,
    `2026-01-${String(index + 1).padStart(2, '0')}T00:00:00Z`,
  ]),
);
const filler = 'The text of a package that nobody reads. '.repeat(Math.ceil(size / 41));

const server = createServer((request, response) => {
  const name = decodeURIComponent(request.url!.slice(1));
  const body = JSON.stringify({ name, versions, time, readme: filler.slice(0, size - 1500) });
  response.writeHead(200, { 'content-type': 'application/json', etag: `"${name}"` }).end(body);
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`),
);
