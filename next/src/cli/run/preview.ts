import { readSettings } from '../../core/read-folder.ts';
import { addAbortListener, once } from 'node:events';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { inputError } from '../../core/errors.ts';
import { digestsFile } from '../../core/sha256sums.ts';
import { openWorkspace, startWrangler } from '../../publish/cloudflare.ts';
import { readWorkerKeys } from '../../publish/worker-keys.ts';
import { findHeaders } from '../../site/headers.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command
    .option('--port <number>', 'port on 127.0.0.1', parsePort, 8787)
    .addHelpText(
      'after',
      '\nServes the built site, with the answers of the Worker where "hosting" is cloudflare, until Ctrl-C.',
    )
    .action(async ({ port }: { port: number }) => {
      const { out, root } = context;
      const settings = readSettings(root);
      if (!existsSync(join(out, digestsFile))) {
        throw inputError(out, 'there is no built site. Run: npx release-index build');
      }

      await (settings.hosting === 'cloudflare'
        ? serveWorker(context, port)
        : serveFiles(context, port));
    });
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('Expected a number up to 65535.');
  }

  return Number(text);
}

async function serveFiles({ out, report, signal }: Context, port: number): Promise<void> {
  const server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    const origin = request.headers.origin;
    // A page of another origin must not read a draft.
    if (
      !/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host) ||
      (origin !== undefined && origin !== `http://${host}`)
    ) {
      response.writeHead(403).end();
      return;
    }

    const found = findFile(out, request.url ?? '/');
    response.setHeaders(new Map(Object.entries(findHeaders(found ?? '404.html'))));
    response.writeHead(found === undefined ? 404 : 200);
    pipeline(createReadStream(join(out, found ?? '404.html')), response).catch(() =>
      response.destroy(),
    );
  });

  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: Error) => {
    throw inputError('preview', `${error.message}. Choose another: --port`);
  });
  report.print(
    `${out} at http://127.0.0.1:${(server.address() as AddressInfo).port}/ (Ctrl-C ends it)`,
  );
  await once(signal, 'abort');
  server.close();
  server.closeAllConnections();
}

function findFile(folder: string, url: string): string | undefined {
  const path = normalize(`/${url.split('?')[0]}`).slice(1) || 'index.html';
  return statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() ? path : undefined;
}

/** By the runtime of the host, which wrangler brings. */
async function serveWorker(
  { root, out, env, day, report, signal }: Context,
  port: number,
): Promise<void> {
  const settings = readSettings(root);
  using workspace = openWorkspace({
    root,
    out,
    baseUrl: settings.releasesUrl,
    ...readWorkerKeys(root, env, day),
  });
  report.progress('starting the runtime of the host, which takes some seconds');
  const child = startWrangler(
    ['dev', '--ip=127.0.0.1', `--port=${port}`, '--show-interactive-dev-session=false'],
    workspace,
    env,
  );
  using _stop = addAbortListener(signal, () => child.kill('SIGINT'));

  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      if (line.includes('Ready on http')) {
        report.print(`${out} at http://127.0.0.1:${port}/ (Ctrl-C ends it)`);
      } else if (/\b(?:error|warn)/i.test(line) && !signal.aborted) {
        report.problem({ subject: 'preview', message: line.trim(), level: 'warning' });
      }
    });
  }

  await once(child, 'close');
  if (!signal.aborted) {
    throw inputError('preview', 'the local server ended unexpectedly');
  }
}
