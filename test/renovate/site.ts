import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { addDays, toDay } from '../../src/core/model/dates.ts';
import type { ReleaseFile } from '../../src/core/schemas/published/release-documents.ts';
import { fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { definition, makeRoot, readJsonIn } from '../harness/root.ts';
import { siteOf } from '../harness/site.ts';
import { answer, startUpstream, type Upstream } from '../harness/upstream.ts';

export interface ServedSite extends Pick<Upstream, 'requests' | 'close'> {
  dir: string;
  /** Without a slash at the end. */
  origin: string;
  components: ReadonlyMap<string, ReleaseFile>;
}

export const today = toDay(new Date());

export function daysAgo(days: number): string {
  return addDays(today, -days);
}

/** A component without its title and addresses. */
export interface Recorded {
  definition?: object;
  releases: object[];
  advisories?: object[];
}

/** Builds the site of these components as of today, and serves it. */
export function serveComponents(
  components: Readonly<Record<string, Recorded>>,
): Promise<ServedSite> {
  const changelogUrl = 'https://example.com/changelog';
  const files = Object.entries(components).flatMap(([name, { definition: about, ...data }]) => [
    [`components/${name}.json`, definition({ changelogUrl, ...about })],
    [`data/${name}.json`, data],
  ]);
  return buildAndServe(makeRoot(Object.fromEntries(files) as Record<string, object>), today);
}

/** Builds the site of a root, and serves it on loopback under the address it was built for. */
export async function buildAndServe(root = fixtureIndex, day = fixtureDay): Promise<ServedSite> {
  let dir = '';
  const { url, requests, close } = await startUpstream(() => (request, response) => {
    const file = join(dir, request.url!);
    if (!existsSync(file)) {
      return answer(response, 404, 'text/plain', '');
    }
    answer(response, 200, 'application/json', readFileSync(file));
  });
  const origin = url.slice(0, -1);
  dir = siteOf(root, day, origin);
  const names = readJsonIn<string[]>(dir, 'index.json');
  const components = new Map(
    names.map((name) => [name, readJsonIn<ReleaseFile>(dir, `${name}.json`)]),
  );
  return { dir, origin, requests, components, close };
}

/** A proxy that blocks all requests. `attempts`: each of them, `CONNECT host:port` or `GET http://…`. */
export async function listenForAttempts(): Promise<{ origin: string; attempts: string[] }> {
  const attempts: string[] = [];
  const server = createServer((request, response) => {
    attempts.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    attempts.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, attempts };
}
