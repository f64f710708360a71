import { addAbortListener, once } from 'node:events';
import { text } from 'node:stream/consumers';
import { inputError, type Problem } from '../core/errors.ts';
import { toLogLine } from '../core/text.ts';
import { openWorkspace, secretsFile, startWrangler, type WorkerSite } from './wrangler.ts';

const secretSources = {
  CLOUDFLARE_API_TOKEN:
    'Make one from the template "Edit Cloudflare Workers": dash.cloudflare.com/profile/api-tokens',
  CLOUDFLARE_ACCOUNT_ID: 'The overview page of Workers shows it: dash.cloudflare.com',
};

/** The variables that wrangler needs, and where a person finds their values. */
export function findMissingSecrets(env: NodeJS.ProcessEnv): Problem[] {
  const missing = Object.entries(secretSources).filter(([name]) => !env[name]?.trim());
  return missing.map(([subject, source]) => ({ subject, message: `is missing. ${source}` }));
}

/** Throws an `InputError` for an address that Cloudflare cannot serve. */
export function checkHost(baseUrl: string): void {
  if (new URL(baseUrl).pathname !== '/') {
    throw inputError(
      'site/site.json',
      `releasesUrl: ${baseUrl} has a path; Cloudflare serves a site at the root of a name`,
    );
  }
}

/** Uploads the site and switches to it: wrangler's last call switches, so any earlier failure leaves the old version live. */
export async function deploy(
  site: WorkerSite,
  message: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  using workspace = openWorkspace(site);
  const secrets = site.secrets ? ['--secrets-file', secretsFile] : [];
  const child = startWrangler(['deploy', '--message', message, ...secrets], workspace, env);
  using _stop = addAbortListener(signal, () => child.kill('SIGTERM'));
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  signal.throwIfAborted();
  if (status !== 0) {
    throw inputError(
      'Cloudflare',
      describeFailure(`${stdout}\n${stderr}`, env['CLOUDFLARE_API_TOKEN']?.trim()),
    );
  }
}

/** What a person does about error codes of the host. */
const remedies: Readonly<Record<string, string>> = {
  '6003': 'CLOUDFLARE_API_TOKEN does not have the form of a token.',
  '7003': 'CLOUDFLARE_ACCOUNT_ID names no account.',
  '9109': 'CLOUDFLARE_API_TOKEN is not valid, or not for this account.',
  '10000': 'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit".',
};

/** The errors of wrangler on one line, or the last line of a failure without any, without the token, and their remedies. */
function describeFailure(output: string, token: string | undefined): string {
  const hidden = token ? output.replaceAll(token, '(token)') : output;
  const lines = hidden.split('\n').map((line) => toLogLine(line.trim()));
  const errors = lines.filter((line) => /\[ERROR\]|\[code: \d+\]|fetch failed/.test(line));
  const shown = errors.length > 0 ? errors : lines.filter(Boolean).slice(-1);
  const codes = Array.from(hidden.matchAll(/\[code: (\d+)\]/g), ([, code = '']) => code);
  const advice = codes.map((code) => remedies[code]).filter((remedy) => remedy !== undefined);
  const again = 'Publish again: only a whole upload goes live.';
  return [...new Set([...shown, ...advice, again])].join(' ');
}
