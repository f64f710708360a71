import { problem, type Finding } from '../../core/schemas/finding.ts';
import type { Root } from '../../io/files/root.ts';
import { openWorkspace, runWrangler, type WranglerRun } from './wrangler.ts';
import type { WorkerInput } from './worker-config.ts';

/** The secrets that every deployment needs, and where a person finds each. */
const secretSources = {
  CLOUDFLARE_API_TOKEN:
    'Make a token from the template "Edit Cloudflare Workers": dash.cloudflare.com/profile/api-tokens',
  CLOUDFLARE_ACCOUNT_ID:
    'It is shown on the right of the overview page of Workers: dash.cloudflare.com',
};

/** A finding about each secret that the environment lacks. */
export function checkSecrets(env: NodeJS.ProcessEnv): Finding[] {
  return Object.entries(secretSources)
    .filter(([name]) => !env[name]?.trim())
    .map(([name, source]) => problem(name, `is missing. ${source}`));
}

/** `versionId`: absent if the host did not name the new version. */
type Deployment =
  | { kind: 'live'; versionId?: string | undefined }
  /** The old site is still live. */
  | { kind: 'failed'; reason: string }
  /** The call that switches failed: only the address shows whether the new site is live. */
  | { kind: 'uncertain'; reason: string; versionId?: string | undefined };

/** A site to send, with everything that its version at the host consists of. */
export interface SiteToDeploy extends WorkerInput {
  root: Root;
  /** With the secrets for the host. */
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** The secrets of the Worker by name; if absent, the host keeps its own. */
  secrets?: Readonly<Record<string, string>> | undefined;
  message: string;
  /** Whether no site is live, so an existing Worker of this name serves something else. */
  isFirst: boolean;
  /** Called right before the switch; returns a reason not to switch, if any. */
  findObjection(): Promise<string | undefined>;
}

/** A host of published sites. */
export interface SiteHost {
  deploy(site: SiteToDeploy): Promise<Deployment>;
  /** Milliseconds to wait between attempts to read a new version back. */
  waitsMs: readonly number[];
}

export const cloudflare: SiteHost = {
  deploy: deploySite,
  // A new version reaches all data centres of the host within seconds; a minute is generous.
  waitsMs: [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000],
};

/**
 * Uploads the site as a new version, then switches to it. The switch is the last call: any earlier failure leaves the old
 * version live. Without an existing Worker, upload and switch are one call, which may go live without naming the version.
 */
async function deploySite(site: SiteToDeploy): Promise<Deployment> {
  using workspace = openWorkspace(site.root, site, site.secrets);
  const wrangler = (...args: readonly string[]) => runWrangler(args, { ...site, workspace });
  const annotate = ['--message', site.message];
  const { secretsPath } = workspace;
  const secrets = secretsPath === undefined ? [] : ['--secrets-file', secretsPath];
  // At the first publication, a Worker that is there already serves something else.
  const uploadSecrets = site.isFirst ? [] : secrets;
  const upload = await wrangler('versions', 'upload', ...uploadSecrets, ...annotate);

  // Wrangler's words for a Worker that no deployment has made; it names no code for it.
  if (upload.failure?.includes('does not yet exist')) {
    const objection = await site.findObjection();
    if (objection !== undefined) {
      return { kind: 'failed', reason: objection };
    }

    const first = await wrangler('deploy', ...secrets, ...annotate);
    return describeSwitch(readVersionId(first, 'deploy'), first);
  }

  const versionId = readVersionId(upload, 'version-upload');
  if (upload.failure !== undefined || versionId === undefined) {
    return { kind: 'failed', reason: upload.failure ?? 'wrangler did not name the new version.' };
  }
  if (site.isFirst) {
    const reason = 'a Worker of this name is there already and serves something else.';
    const remedy = `If it may go, npx wrangler delete --name ${site.hosting.worker} deletes it.`;
    return { kind: 'failed', reason: `${reason} ${remedy}` };
  }

  const triggers = await wrangler('triggers', 'deploy');
  const reason = triggers.failure ?? (await site.findObjection());
  if (reason !== undefined) {
    return { kind: 'failed', reason };
  }

  const target = `${versionId}@100%`;
  const switched = await wrangler('versions', 'deploy', target, '--yes', ...annotate);
  return describeSwitch(versionId, switched);
}

function describeSwitch(versionId: string | undefined, { failure }: WranglerRun): Deployment {
  return failure === undefined
    ? { kind: 'live', versionId }
    : { kind: 'uncertain', reason: failure, versionId };
}

/** The new version, which a run of wrangler names in an event. */
function readVersionId({ events }: WranglerRun, event: string): string | undefined {
  const versionId = events.get(event)?.['version_id'];
  return typeof versionId === 'string' ? versionId : undefined;
}
