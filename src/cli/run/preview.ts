import { addAbortListener, once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { InvalidArgumentError, type Command } from 'commander';
import { inputError } from '../../core/errors.ts';
import { readSettings } from '../../core/index/read-folder.ts';
import { checkSite } from '../../publish/check-site.ts';
import { openWorkspace, startWrangler } from '../../publish/cloudflare.ts';
import { readWorkerKeys } from '../../publish/worker-keys.ts';
import { findHeaders } from '../../site/headers.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command
    .option('--port <number>', 'port on 127.0.0.1; 0 chooses a free one', parsePort, 8787)
    .action(({ port }: { port: number }) => preview(context, port));
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('Expected a port, 0 to 65535.');
  }

  return Number(text);
}

async function preview(context: Context, port: number): Promise<void> {
  const { out, root, report, signal } = context;
  await checkSite(out);
  let answer: RequestListener = (_, response) => response.writeHead(503).end();
  const server = createServer((call, response) => {
    return isOwn(call) ? answer(call, response) : response.writeHead(403).end();
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const serve = (ready: RequestListener) => {
    answer = ready;
    report.print(`${out} at ${origin}/ (Ctrl-C ends it)`);
  };
  try {
    if (readSettings(root).hosting === 'cloudflare') {
      await runWorker(context, origin, serve);
    } else {
      serve(sendFiles(out));
      signal.throwIfAborted();
      await once(signal, 'abort');
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** A page of another origin must not read a draft. */
function isOwn({ headers: { host = '', origin } }: IncomingMessage): boolean {
  const isHere = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host);
  return isHere && (origin === undefined || origin === `http://${host}`);
}

function sendFiles(folder: string): RequestListener {
  return ({ url }, response) => {
    const path = normalize(`/${url!.split('?')[0]}`).slice(1) || 'index.html';
    const isServed = isFile(join(folder, path));
    const file = isServed ? path : '404.html';
    const headers = { ...findHeaders(file), ...(!isServed && { 'cache-control': 'no-store' }) };
    response.writeHead(isServed ? 200 : 404, headers);
    pipeline(createReadStream(join(folder, file)), response, () => response.destroy());
  };
}

/** No system has a file of every name that somebody may ask for. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Runs the Worker in the runtime of the host, which wrangler brings, until the signal. */
async function runWorker(
  { root, out, env, day, report, signal }: Context,
  origin: string,
  serve: (answer: RequestListener) => void,
): Promise<void> {
  const keys = readWorkerKeys(root, env, day);
  using workspace = openWorkspace({ root, out, baseUrl: origin, ...keys });
  report.progress('starting the runtime of the host, which takes some seconds');
  const args = ['dev', '--ip=127.0.0.1', '--port=0', '--show-interactive-dev-session=false'];
  const child = startWrangler(args, workspace, env);
  using _stop = addAbortListener(signal, () => child.kill('SIGINT'));

  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      const [, port] = /Ready on http:\/\/[^:]+:(\d+)/.exec(line) ?? [];
      if (port !== undefined) {
        serve(forwardTo(Number(port)));
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

function forwardTo(port: number): RequestListener {
  return (call, response) => {
    const { method, url: path, headers } = call;
    // Without an agent of its own, the request could go through a proxy.
    const options = { host: '127.0.0.1', port, method, path, headers, agent: false };
    const forwarded = request(options, (reply) => {
      response.writeHead(reply.statusCode!, reply.headers);
      pipeline(reply, response, () => response.destroy());
    });
    pipeline(call, forwarded, (error) => error && response.destroy());
  };
}
