import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { addDays, toDay } from '../../src/core/dates.ts';
import { fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { runHere } from '../harness/run-here.ts';

/** The fields that Renovate reads (renovatebot/renovate, lib/modules/datasource/custom/schema.ts). */
export interface ReleaseFile {
  homepage: string;
  changelogUrl: string;
  tags?: { latest: string };
  releases: {
    version: string;
    releaseTimestamp?: string;
    changelogUrl?: string;
    isDeprecated: boolean;
    isStable?: boolean;
  }[];
}

export interface ServedSite {
  dir: string;
  /** Without a slash at the end. */
  origin: string;
  /** Requested paths, in order. */
  requests: string[];
  components: ReadonlyMap<string, ReleaseFile>;
  close(): Promise<void>;
}

export const today = toDay(new Date());

export function daysAgo(days: number): string {
  return addDays(today, -days);
}

/** What a component has beyond a title and addresses. */
export interface Recorded {
  definition?: object;
  releases: object[];
  advisories?: object[];
}

/** Builds the site of these components as of today, and serves it. */
export async function serveComponents(
  components: Readonly<Record<string, Recorded>>,
): Promise<ServedSite & { root: string }> {
  const common = {
    title: 'Component',
    homepage: 'https://example.com/',
    changelogUrl: 'https://example.com/changelog',
    sources: [],
  };
  const root = writeFolder(
    Object.fromEntries(
      Object.entries(components).flatMap(([name, { definition, ...data }]): [string, string][] => [
        [`components/${name}.json`, JSON.stringify({ ...common, ...definition })],
        [`data/${name}.json`, JSON.stringify(data)],
      ]),
    ),
  );
  const served = await buildAndServe(root, today);
  return {
    ...served,
    root,
    close: async () => {
      await served.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Builds the site of a root, and serves it on loopback under the address it was built for. */
export async function buildAndServe(root = fixtureIndex, day = fixtureDay): Promise<ServedSite> {
  const dir = mkdtempSync(join(tmpdir(), 'release-index-site-'));
  const requests: string[] = [];
  const server = await listen((request, response) => {
    const path = new URL(request.url!, 'http://127.0.0.1').pathname;
    requests.push(path);
    try {
      const body = readFileSync(join(dir, path));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  const origin = originOf(server);
  const options = ['--root', root, '--out', dir, '--base-url', origin, '--as-of', day];
  const { status, stderr } = await runHere(['build', ...options]);
  if (status !== 0) throw new Error(stderr);
  const names = readJson(join(dir, 'index.json')) as string[];
  return {
    dir,
    origin,
    requests,
    components: new Map(names.map((name) => [name, readJson(join(dir, `${name}.json`)) as ReleaseFile])),
    close: async () => {
      await close(server);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface Outside {
  origin: string;
  /** Blocked requests, `CONNECT host:port` or `GET http://…`. */
  attempts: string[];
  close(): Promise<void>;
}

/** A proxy that blocks and records all requests. */
export async function listenForAttempts(): Promise<Outside> {
  const attempts: string[] = [];
  const server = await listen((request, response) => {
    attempts.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    attempts.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  return { origin: originOf(server), attempts, close: () => close(server) };
}

/** Writes files under a new folder. */
export function writeFolder(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'release-index-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
