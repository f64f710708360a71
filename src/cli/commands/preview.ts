import { addAbortListener, once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { findHost } from '../../core/schemas/definition/site-config.ts';
import { InputError, inputError, throwErrors, warning } from '../../core/schemas/finding.ts';
import { serveFolder } from '../../deliver/host/static-server.ts';
import { describeHosting } from '../../deliver/host/worker-config.ts';
import { openWorkspace, startWrangler, type Workspace } from '../../deliver/host/wrangler.ts';
import { readHostKeys } from '../../deliver/publish/host-keys.ts';
import { findPublishedAt } from '../../deliver/publish/index-documents.ts';
import { readValidAccess, requireSiteConfig } from '../../io/files/settings-files.ts';
import { reportNoSite } from '../../deliver/check/built-site.ts';
import { readBaseUrl } from '../../deliver/publish/live.ts';
import { shared, text, UsageError, type Command, type Invocation } from '../command.ts';

const optionTable = {
  port: text('N', 'port to listen on (default: 8787, or any free port)'),
  ...shared('root', 'out'),
};

export const command: Command<typeof optionTable> = {
  options: optionTable,
  details: [
    'Serves the built site, with the routing and headers of the real host, until it is interrupted. Answers only this',
    'computer and pages that it serves, as the site may be a draft; the host answers pages of every origin.',
  ],
  examples: [['preview --port 9000', 'on another port']],
  /** Serves until interrupted, with status 0. Serves a later build at once. */
  async run(invocation) {
    const { root, out, env, options } = invocation;
    if (env['npm_command'] !== undefined) {
      endWithNpm();
    }

    const port = await findPort(options.port);
    const isAtCloudflare = findHost(requireSiteConfig(root)) === 'cloudflare';
    const address = readBaseUrl(out);
    if (address === undefined) {
      throw new InputError([reportNoSite(out)]);
    }

    await (isAtCloudflare
      ? serveAsHost(invocation, new URL(address).origin, port)
      : serveFiles(invocation, port));
    return 0;
  },
};

/** The port of the option, else the default one or, where that is in use, any free one. */
async function findPort(option: string | undefined): Promise<number> {
  if (option === undefined) {
    return takePort(8787).catch(() => takePort(0));
  }
  if (!/^\d{1,5}$/.test(option) || Number(option) > 65_535) {
    throw new UsageError(`--port: expected a number from 0 to 65535; got "${option}"`);
  }

  return takePort(Number(option)).catch((error: Error) => {
    throw inputError('preview', error.message);
  });
}

/** The port itself, or any free port for 0. Throws where the port is in use. */
async function takePort(port: number): Promise<number> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const usedPort = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return usedPort;
}

/** Serves as a host of static files does. */
async function serveFiles(invocation: Invocation, port: number): Promise<void> {
  const { out, signal } = invocation;
  const server = await serveFolder(out, port);
  announce(invocation, server.url);
  if (!signal.aborted) {
    await once(signal, 'abort');
  }

  await server.close();
}

/** Serves with the routing of the host, by its own runtime. */
async function serveAsHost(invocation: Invocation, origin: string, port: number): Promise<void> {
  const { root, out, report } = invocation;
  using workspace = openWorkspace(root, {
    hosting: describeHosting(origin),
    out,
    publishedAt: new Date(findPublishedAt(out) ?? Date.now()).toISOString(),
    ...readProtection(invocation),
  });
  report.progress('preview: starting the runtime of the host, which takes some seconds');

  await runRuntime(invocation, workspace, port);
}

/** Ends this program when its parent is gone: a terminated npm ends its shell, but not the program below. */
function endWithNpm(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) {
      return;
    }

    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

function announce({ out, day, report }: Invocation, origin: string): void {
  const url = `${origin}/`;
  report.print(`${out} at ${url} (Ctrl-C ends it)`);
  report.document({ verb: 'preview', asOf: day, out, url });
}

/** A private index needs the same credentials as when published. */
function readProtection({ root, env, day, report }: Invocation) {
  const access = readValidAccess(root);
  if (!access) {
    return { localSecrets: {} };
  }

  const hostKeys = readHostKeys(root, env, access, day);
  throwErrors(hostKeys.findings);
  report.finding(...hostKeys.findings);
  return { access, localSecrets: hostKeys.secrets };
}

const startTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;

/** Runs the host's own runtime until the signal. Throws an InputError where it does not start, or ends by itself. */
async function runRuntime(
  invocation: Invocation,
  workspace: Workspace,
  port: number,
): Promise<void> {
  const { env, signal } = invocation;
  const url = `http://127.0.0.1:${port}`;
  const options = [
    '--ip=127.0.0.1',
    `--port=${port}`,
    `--inspector-port=${await takePort(0)}`,
    '--var',
    `PREVIEW_URL:${url}`,
    '--show-interactive-dev-session=false',
    '--infer-origin-from-routes=false',
  ];
  const child = startWrangler(['dev', ...options], workspace, env);
  const ended = once(child, 'close');
  using _stop = addAbortListener(signal, () => stop(child));

  const ready = watchOutput(child, invocation);
  // A child that cannot be started rejects `ended`, and the timer must not keep the program running.
  const timeout = setTimeout(() => stop(child), startTimeoutMs).unref();
  const hasStarted = await Promise.race([ready, ended.then(() => false)]);
  clearTimeout(timeout);
  if (hasStarted && !signal.aborted) {
    announce(invocation, url);
  }

  await ended;
  if (!signal.aborted) {
    const reason = hasStarted
      ? 'the local server ended unexpectedly'
      : 'the local server did not start';
    throw inputError('preview', reason);
  }
}

type Runtime = ReturnType<typeof startWrangler>;

function stop(child: Runtime): void {
  child.kill('SIGINT');
  setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs).unref();
}

/** Reports the complaints of the runtime. Resolves once it serves. */
function watchOutput(child: Runtime, { signal, report }: Invocation): Promise<true> {
  const { promise: ready, resolve } = Promise.withResolvers<true>();
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      if (line.includes('Ready on http')) {
        resolve(true);
      }

      // After an interruption, complaints are not about the site.
      if (isComplaint(line) && !signal.aborted) {
        report.finding(warning('preview', line.trim()));
      }
    });
  }
  return ready;
}

/** Whether a line warns of something: `[wrangler:warn] …`, `✘ [ERROR] …`. */
function isComplaint(line: string): boolean {
  return /\b(error|warn(ing)?)\b/i.test(line) && !line.startsWith('[wrangler:info]');
}
