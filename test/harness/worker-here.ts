import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { answerProtected } from '../../src/ask/server/worker/auth-worker.ts';
import { serve } from '../../src/ask/server/worker/worker.ts';
import type { AccessConfig } from '../../src/core/schemas/access/access-config.ts';
import { findHeaders, unservedFiles } from '../../src/site/render/headers.ts';
import { pathsIn, readJsonIn } from './root.ts';
import { startUpstream, type Upstream } from './upstream.ts';

/** What a version of a site has on the host. */
export interface Version {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly access?: AccessConfig | undefined;
  /** Secrets and variables of the Worker. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
}

/** The version that a built site becomes. */
export function readVersion(out: string, settings: Omit<Version, 'files'> = {}): Version {
  const paths = pathsIn(out).filter((path) => !unservedFiles.has(path));
  const files = new Map(paths.map((path) => [path, readFileSync(join(out, path))]));
  return { files, access: settings.access, secrets: settings.secrets };
}

export type WorkerHere = ReturnType<typeof openWorkerHere>;

/** The Worker of a version in this process, for what does not depend on the runtime of the host. */
export function openWorkerHere({ files, access, secrets }: Version, baseUrl: string) {
  const env = {
    ...secrets,
    BASE_URL: baseUrl,
    VERSION: { timestamp: '2026-01-01T00:00:00Z' },
    ASSETS: { fetch: (request: Request) => Promise.resolve(answerFile(request)) },
  };
  return (address: string, init?: RequestInit): Promise<Response> => {
    const request = new Request(address, init);
    request.headers.set('host', new URL(address).host);
    return access ? answerProtected(request, env, access) : serve(request, env);
  };

  function answerFile({ url }: Request): Response {
    const path = new URL(url).pathname.slice(1);
    const body = files.get(path);
    return body === undefined
      ? new Response('no', { status: 404 })
      : new Response(new Uint8Array(body), {
          headers: Object.fromEntries(findHeaders(path, access?.protect)!),
        });
  }
}

/** A built site with its Worker in this process, behind a server on loopback. Answers are of the day of the site. */
export async function serveHere(
  out: string,
  baseUrl = 'https://releases.example.com',
  settings: Omit<Version, 'files'> = {},
): Promise<Upstream> {
  const { asOf: TODAY } = readJsonIn<{ asOf: string }>(out, 'status.json');
  const secrets = { TODAY, ...settings.secrets };
  const worker = openWorkerHere(readVersion(out, { ...settings, secrets }), baseUrl);
  return startUpstream(
    (home) => (request, response) => void passToWorker(worker, home, request, response),
  );
}

/** Sends a request to the Worker as one for the same path below `home`, and passes its answer on. */
export async function passToWorker(
  worker: WorkerHere,
  home: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await worker(new URL(request.url!, home).href, {
    method: request.method!,
    headers: request.headers as Record<string, string>,
    ...(request.method === 'POST' && { body: Readable.toWeb(request), duplex: 'half' }),
  });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  await pipeline(answer.body ?? [], response);
}
