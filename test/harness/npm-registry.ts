import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { runCli, type Ran } from './cli.ts';
import { definition, makeRoot } from './root.ts';

export interface ListedVersion {
  at?: string;
  deprecated?: string;
  /** In the form of Subresource Integrity. */
  integrity?: string;
}

/** What a package lists: for each version when it was published, if that is known, and why it is deprecated. */
export type Listing = Readonly<Record<string, ListedVersion>>;

export type Answer = Listing | ((request: IncomingMessage, response: ServerResponse) => void);

export interface NpmRegistry {
  url: string;
  /** What it answers by package; a test may change it between runs. */
  packages: Map<string, Answer>;
  requests: { path: string; status: number; isConditional: boolean }[];
}

/** A registry on loopback that answers 304 where it can. */
export async function npmRegistry(packages: Readonly<Record<string, Answer>>): Promise<NpmRegistry> {
  const registry: NpmRegistry = { url: '', packages: new Map(Object.entries(packages)), requests: [] };
  const server = createServer((request, response) => {
    const seen = {
      path: request.url!,
      status: 0,
      isConditional: request.headers['if-none-match'] !== undefined,
    };
    registry.requests.push(seen);
    response.on('close', () => (seen.status = response.statusCode));
    const answer = registry.packages.get(request.url!.slice(1));
    if (typeof answer === 'function') answer(request, response);
    else if (answer) sendPackument(request, response, answer);
    else send(response, 404, '{"error":"not found"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return registry;
}

/** An index with a component for each package of a registry. `files` add to it or replace components. */
export async function npmIndex(
  packages: Readonly<Record<string, Answer>>,
  files: Readonly<Record<string, unknown>> = {},
) {
  const registry = await npmRegistry(packages);
  const sourceOf = (packageName: string) => ({ datasource: 'npm', packageName, registryUrl: registry.url });
  const root = makeRoot({
    ...Object.fromEntries(
      Object.keys(packages).map((name) => [
        `components/${name}.json`,
        definition({ sources: [sourceOf(name)] }),
      ]),
    ),
    ...files,
  });
  const run = (args: readonly string[], options: Parameters<typeof runCli>[1] = {}): Promise<Ran> =>
    runCli([...args, '--root', root], options);
  return { registry, root, sourceOf, run };
}

/** An answer of nothing but a status. */
export function status(code: number): Answer {
  return (_request, response) => send(response, code, '{}');
}

/** Takes the request and never answers. */
export const silence: Answer = () => undefined;

function sendPackument(request: IncomingMessage, response: ServerResponse, listing: Listing): void {
  const entries = Object.entries(listing);
  const body = JSON.stringify({
    name: request.url!.slice(1),
    versions: Object.fromEntries(
      entries.map(([version, { deprecated, integrity }]) => [
        version,
        { version, ...(deprecated && { deprecated }), ...(integrity && { dist: { integrity } }) },
      ]),
    ),
    time: {
      created: '2020-01-01T00:00:00.000Z',
      ...Object.fromEntries(
        entries.flatMap(([version, { at }]) => (at === undefined ? [] : [[version, at]])),
      ),
    },
  });
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
  response.setHeader('etag', etag);
  if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
  else send(response, 200, body);
}

function send(response: ServerResponse, code: number, body: string): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(body);
}
