import { once } from 'node:events';
import { readFileSync, unwatchFile, watchFile, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { signatureFile } from '../../site/digests.ts';
import { startWrangler, type Workspace } from './wrangler.ts';

export interface PreviewServer {
  url: string;
  /** Resolves when the server has ended; `unasked` where nothing stopped it. */
  ended: Promise<'stopped' | 'unasked'>;
}

export interface PreviewOptions {
  workspace: Workspace;
  /** The folder of the site. */
  out: string;
  env: NodeJS.ProcessEnv;
  port: number;
  signal: AbortSignal;
  /** Called with each complaint of wrangler. */
  onComplaint(line: string): void;
}

const startTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;

/** Serves the site with the host's own runtime until the signal is aborted. Throws where that does not start. */
export async function startPreviewServer(options: PreviewOptions): Promise<PreviewServer> {
  const { workspace, out, env, signal, onComplaint } = options;
  const port = await freePort(options.port);
  const flags = ['--ip', '127.0.0.1', '--port', String(port), '--inspector-port', String(await freePort(0))];
  const quiet = ['--show-interactive-dev-session=false', '--infer-origin-from-routes=false'];
  const url = `http://127.0.0.1:${port}`;
  const links = ['--var', `PREVIEW_URL:${url}`];
  const child = startWrangler(['dev', ...flags, ...links, ...quiet], workspace, env);
  const exit = once(child, 'close');
  const stop = () => {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs).unref();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();

  const complaints: string[] = [];
  const ready = Promise.withResolvers<void>();
  const listen = (line: string) => {
    if (line.includes('Ready on http')) ready.resolve();
    // Its complaints after an interruption are about that, and not about the site.
    if (!isComplaint(line) || signal.aborted) return;
    complaints.push(line.trim());
    onComplaint(line.trim());
  };
  createInterface({ input: child.stdout! }).on('line', listen);
  createInterface({ input: child.stderr! }).on('line', listen);
  const timeout = setTimeout(stop, startTimeoutMs);
  void exit.then(() =>
    ready.reject(new Error(`the local server did not start. ${complaints.join(' ')}`.trim())),
  );
  try {
    await ready.promise;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearTimeout(timeout);
  }
  const unfollow = followSignature(out, workspace);
  void exit.then(unfollow);
  return {
    url: `${url}/`,
    ended: exit.then(() => (signal.aborted ? 'stopped' : 'unasked')),
  };
}

/**
 * wrangler watches the folder for other builds, but now and then misses a file that is added to it. A change of its own
 * configuration it never misses, and then looks at the folder anew.
 */
function followSignature(out: string, { configPath }: Workspace): () => void {
  const signature = join(out, signatureFile);
  watchFile(signature, { interval: 500, persistent: false }, () =>
    writeFileSync(configPath, readFileSync(configPath)),
  );
  return () => unwatchFile(signature);
}

function isComplaint(line: string): boolean {
  return /\b(error|warn(ing)?)\b/i.test(line) && !line.startsWith('[wrangler:info]');
}

/** The port itself, or any free one for 0. Throws where something else listens on it. */
async function freePort(port: number): Promise<number> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return found;
}
