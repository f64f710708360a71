/** Checks the built site, decides whether it may replace the live site, and sends it to its host. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asWarnings, InputError, readProblems, throwAll, type Problem } from '../core/errors.ts';
import { formatJson, listLitter, saveFile } from '../core/files.ts';
import { readAccess } from '../core/read-access.ts';
import type { Settings } from '../core/schema/written.ts';
import { signatureFile, statementsFolder, type Digests } from '../core/sha256sums.ts';
import { openSite } from '../core/site-reader.ts';
import { openData } from '../record/data-files.ts';
import { readUsableDefinitions } from '../record/definitions.ts';
import { checkTarget, copySite } from './folder.ts';
import { findExcess } from './host-limits.ts';
import { judgePublication, readLive, readLiveParts } from './live.ts';
import { keyVariable } from './minisign.ts';
import { chooseSigningKey, signSite } from './sign.ts';
import { checkSite, readDigests, verifyStatements } from './verify.ts';
import { configFile, createConfig, deployCommand } from './wrangler.ts';

interface PublishInput {
  root: string;
  out: string;
  settings: Settings;
  /** The folder to publish to (`--to`), if it is not the folder that the settings name. */
  to?: string | undefined;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  isDryRun?: boolean | undefined;
  /** Whether to start a new history (`--force`). The live site is then compared only to find releases that readers would lose. */
  force?: boolean | undefined;
}

interface Publication {
  /** `planned`: nothing was sent. `ready`: the workflow or `command` deploys the site. */
  kind: 'planned' | 'ready' | 'published';
  /** The URL or folder to which the site is published. */
  to: string;
  files: number;
  changed: string[];
  gone: string[];
  /** The command that deploys the site to Cloudflare. */
  command?: string;
  /** Warnings about limits of the host's plan and, in a dry run, about missing secrets. A notice if edits could not be compared. */
  warnings: readonly Problem[];
}

/** Checks everything before it sends anything. Throws an `InputError` with every problem. */
export async function publish(input: PublishInput): Promise<Publication> {
  const { root, out, settings, signal, isDryRun } = input;
  const { releasesUrl: baseUrl } = settings;
  const target = findTarget(settings, signal, input.to);
  const { host, to } = target;
  const site = await checkSite(out, baseUrl);
  if (host === 'folder') {
    checkTarget(to, out);
  } else {
    rejectLitter(out);
  }
  const config = host === 'cloudflare' && createConfig({ out, baseUrl, access: readAccess(root) });
  const excess = findExcess(host, out);
  const { key, problems: missing } = await prepareKey(input);
  const problems = [...excess, ...(isDryRun ? asWarnings(missing) : missing)];
  const warnings = problems.filter(({ level }) => level === 'warning');
  if (warnings.length < problems.length) {
    throw new InputError(problems);
  }

  const data = openData(root);
  // Throws if the ids in a journal are wrong, for example because a merge repeated lines.
  data.countEvents();
  const option = input.to === undefined ? '' : ` --to ${input.to}`;
  const outcome = `Nothing was sent. To publish anyway: npx release-index publish --force${option}`;
  const { live, warnings: unread } = input.force
    ? await readLiveParts(target.site)
    : { live: await readLive(target.site, outcome), warnings: [] };
  const notices: Problem[] = [];
  if (live) {
    // As in `daily`, a definition with a mistake stops only its component.
    const { definitions } = await readUsableDefinitions(root, settings, signal);
    const checkout = { root, data, definitions, signal };
    notices.push(...(await judgePublication(live, site, checkout, outcome)));
  }

  const { digests } = key && !isDryRun ? await signSite(root, site, key) : site;
  const plan = {
    to,
    warnings: [...warnings, ...unread, ...notices],
    ...compareDigests(digests, live?.digests),
  };
  if (isDryRun) {
    return { kind: 'planned', ...plan };
  }
  if (host === 'folder') {
    const unfinished = copySite(out, to, digests);
    return { kind: 'published', ...plan, warnings: [...plan.warnings, ...unfinished] };
  }
  if (!config) {
    return { kind: 'ready', ...plan };
  }

  saveFile(join(root, configFile), formatJson(config));
  return { kind: 'ready', ...plan, command: deployCommand };
}

/** Throws an `InputError` if file managers have left files in the folder. A host publishes the whole folder, even unsigned files. */
function rejectLitter(out: string): void {
  const message = 'is not in SHA256SUMS, but the host would publish it. Remove it';
  throwAll(listLitter(out).map((path) => ({ subject: join(out, path), message })));
}

/**
 * Returns where the site of an index is published: in the folder `other`, or else in the folder that the settings name. Without a folder,
 * the site is published at the URL of the index.
 */
export function findTarget(
  { releasesUrl, hosting }: Settings,
  signal: AbortSignal,
  other?: string,
) {
  const folder = other ?? (typeof hosting === 'object' ? hosting.folder : undefined);
  const host = folder === undefined && typeof hosting === 'string' ? hosting : 'folder';
  const to = folder ?? releasesUrl;
  return { host, to, site: openSite(to, signal) } as const;
}

/**
 * Returns the signing key, if the index promises a signature. If an earlier step has already signed the site, verifies this signature and
 * returns no key.
 */
async function prepareKey({ out, settings, env }: PublishInput) {
  const { signingPublicKey: publicKey, releasesUrl: baseUrl } = settings;
  // If this step has no key, an earlier step may have signed the site.
  const isSigned = existsSync(join(out, signatureFile)) && !env[keyVariable]?.trim();
  if (publicKey && isSigned) {
    const site = openSite(out);
    await verifyStatements(site, await readDigests(site, publicKey), publicKey, baseUrl);
    return { problems: [] };
  }

  try {
    return { key: chooseSigningKey(env, settings), problems: [] };
  } catch (error) {
    return { problems: readProblems(error) };
  }
}

/** Lists changed and removed files. Without a live site, all files are changed. */
function compareDigests(built: Digests, live: Digests = new Map()) {
  return {
    files: built.size,
    changed: [...built.keys()].filter((path) => built.get(path) !== live.get(path)),
    // Statements are ignored here, because a dry run does not write them.
    gone: [...live.keys()].filter((path) => !built.has(path) && !path.startsWith(statementsFolder)),
  };
}
