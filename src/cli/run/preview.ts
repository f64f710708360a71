/** Serves the built site as its host would: files first, then the HTTP API. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import manifest from '../../../package.json' with { type: 'json' };
import { readIfThere } from '../../core/files.ts';
import { keysFile, readAccess } from '../../core/read-access.ts';
import { readSettings } from '../../core/read-definitions.ts';
import { openSite } from '../../core/site-reader.ts';
import { checkSite } from '../../publish/verify.ts';
import { findMissingPage, openSiteApi, type Assets } from '../../serve/site-api.ts';
import { findHeaders, unservedFile } from '../../site/headers.ts';
import { expectArgument, type Context, type Define } from '../context.ts';

export const define: Define = (command, context) => {
  command
    .option('--port <number>', 'port on 127.0.0.1; 0 chooses a free one', parsePort, 8787)
    .action(({ port }: { port: number }) => preview(context, port));
};

function parsePort(text: string): number {
  expectArgument(/^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'a port, 0 to 65535');
  return Number(text);
}

async function preview(context: Context, port: number): Promise<void> {
  const { out, report, signal } = context;
  await checkSite(out);
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');

  // The API's answers name the URL of the server, and its port is known only now.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = openAnswer(context, origin);
  const answerOwn = async (request: Request) =>
    isOwn(request) ? answer(request) : new Response(undefined, { status: 403 });
  server.on('request', getRequestListener(answerOwn));
  report.print(`${out} at ${origin}/ (Ctrl-C ends it)`);
  if (readSettings(context.root).hosting !== 'cloudflare') {
    report.print(noApi);
  }
  try {
    signal.throwIfAborted();
    await once(signal, 'abort');
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Tells whether a request comes from this origin. Web pages of other origins must not read an unpublished site. */
function isOwn({ headers }: Request): boolean {
  const host = headers.get('host') ?? '';
  const origin = headers.get('origin');
  const isHere = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host);
  return isHere && (origin === null || origin === `http://${host}`);
}

const noApi =
  'This host has no API, no scans and no /mcp, because "hosting" in site/site.json is not "cloudflare": it serves only files.';
/** Matches the paths that the Worker answers. */
const apiPaths = /^\/(?:api|policies|packages|build-export|mcp)(?:\/|$)/;

/** Answers a request as a host without an API would. */
async function answerWithoutApi(request: Request, assets: Assets): Promise<Response | undefined> {
  return apiPaths.test(new URL(request.url).pathname)
    ? new Response(`${noApi}\n`, { status: 404, headers: { 'cache-control': 'no-store' } })
    : findMissingPage(assets);
}

/** Returns a function that answers a request with a file of the site, or else as the host of the site would. */
function openAnswer({ root, out }: Context, baseUrl: string) {
  const assets = openAssets(out);
  const hasApi = readSettings(root).hosting === 'cloudflare';
  // Answers as the Worker at Cloudflare would, but accepts the access keys of this checkout.
  const { fetch: answerOther } = hasApi
    ? openSiteApi({
        assets,
        baseUrl,
        access: readAccess(root) ?? null,
        keys: readIfThere(join(root, keysFile))?.toString(),
        version: manifest.version,
      })
    : { fetch: (request: Request) => answerWithoutApi(request, assets) };
  return async (request: Request): Promise<Response> => {
    const file = await assets.fetch(request);
    return file.ok ? file : ((await answerOther(request)) ?? file);
  };
}

/** Opens the files of a site. Their paths need no URL encoding. */
function openAssets(folder: string): Assets {
  const site = openSite(folder);
  return {
    async fetch(request) {
      const { pathname } = new URL(typeof request === 'string' ? request : request.url);
      const path = pathname.slice(1) || 'index.html';
      // A name that the file system does not allow is treated as a missing file.
      const bytes = await site.read(path).catch(() => undefined);
      return bytes && path !== unservedFile
        ? new Response(new Uint8Array(bytes), { headers: findHeaders(path) })
        : new Response(undefined, { status: 404 });
    },
  };
}
