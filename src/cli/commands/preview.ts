import { InputError } from '../../core/schemas/finding.ts';
import { hostingFor, type ConfigInput } from '../../deliver/host/hosting.ts';
import { startPreviewServer } from '../../deliver/host/preview-server.ts';
import { openWorkspace } from '../../deliver/host/wrangler.ts';
import { readHostKeys } from '../../deliver/publish/host-keys.ts';
import { baseUrlOf } from '../../site/render/preset.ts';
import { readAccessConfig } from '../../io/files/read.ts';
import { inputError, requireValue, shared, text, throwErrors, UsageError } from '../command.ts';
import type { Command, Invocation, Options } from '../command.ts';

export const command: Command = {
  options: {
    port: text('N', 'port to listen on (default: 8787)'),
    ...shared('root', 'out'),
  },
  details: [
    'Serves what "build" made, with the routing and headers of the real host, until it is interrupted. Only programs and pages of',
    'this computer are answered, as it may be a draft.',
  ],
  examples: [['preview --port 9000', 'on another port']],
  run,
};

const defaultPort = 8787;

/** Serves until it is interrupted, which is its ordinary end; a later build is served at once. */
async function run(invocation: Invocation): Promise<number> {
  const { root, out, env, report, signal } = invocation;
  const port = portOf(invocation.options['port']);
  const hosting = hostingFor(new URL(addressOf(out)).origin);
  const workspace = openWorkspace(root, { hosting, out, ...protectionOf(invocation) });
  try {
    const onComplaint = (message: string) =>
      report.finding({ level: 'warning', subject: 'preview', message });
    const server = await startPreviewServer({ workspace, out, env, port, signal, onComplaint });
    if (!signal.aborted) {
      report.print(`${out} at ${server.url} (Ctrl-C ends it)`);
      report.document({ verb: 'preview', out, url: server.url });
    }
    if ((await server.ended) === 'stopped') return 0;
    throw inputError('preview', 'the local server ended unexpectedly');
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw inputError('preview', (error as Error).message);
  } finally {
    workspace.remove();
  }
}

/** A private index asks for the same credentials as where it is published. */
function protectionOf({ root, env, day, report }: Invocation): Pick<ConfigInput, 'access' | 'localSecrets'> {
  const access = requireValue(readAccessConfig(root));
  if (!access) return { localSecrets: {} };
  const hostKeys = readHostKeys(root, env, access, day);
  throwErrors(hostKeys.findings);
  report.finding(...hostKeys.findings);
  return { access, localSecrets: hostKeys.secrets };
}

function portOf(option: Options[string]): number {
  if (option === undefined) return defaultPort;
  const port = typeof option === 'string' && /^\d{1,5}$/.test(option) ? Number(option) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--port: expected a number from 0 to 65535; got "${option}"`);
}

function addressOf(out: string): string {
  const address = baseUrlOf(out);
  if (address !== undefined) return address;
  throw inputError('preview', `${out}: there is no built site. Build it: npx release-index build`);
}
