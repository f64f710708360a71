/** Is the built site whole, may it replace the live one, and how does it get there? */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { signatureFile, statementsFolder, type Digests } from '../core/sha256sums.ts';
import { asWarnings, InputError, readProblems, throwAll, type Problem } from '../core/errors.ts';
import { readDefinitions, readAccess } from '../core/index/read-folder.ts';
import { formatJson, listLitter, saveFile } from '../core/files.ts';
import { formatCount, formatList } from '../core/text.ts';
import type { Settings } from '../core/schema/written.ts';
import { openData } from '../record/files.ts';
import { checkSite, readDigests, verifyStatements } from './verify.ts';
import { checkTarget, copySite } from './folder.ts';
import { findExcess } from './host-limits.ts';
import { judgePublication, readLive, readLiveParts } from './live.ts';
import { keyVariable } from './minisign.ts';
import { chooseSigningKey, signSite } from './sign.ts';
import { openSite } from '../core/index/site-reader.ts';
import { configFile, createConfig, deployCommand } from './wrangler.ts';

interface PublishInput {
  root: string;
  out: string;
  settings: Settings;
  /** The folder of a server, if it is not that of the settings. */
  to?: string | undefined;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  isDryRun?: boolean | undefined;
  /** Start the history anew: of the live site, only what its readers would lose is compared. */
  force?: boolean | undefined;
}

interface Publication {
  /** `planned`: nothing was sent. `ready`: the workflow, or the command, deploys it. */
  kind: 'planned' | 'ready' | 'published';
  /** An address or a folder. */
  to: string;
  files: number;
  changed: string[];
  gone: string[];
  /** What sends it to Cloudflare. */
  command?: string;
  /** What a dry run found missing, mostly a secret, and what the plan of the host may not take. */
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
  // Throws for a journal that a merge doubled.
  data.countEvents();
  const option = input.to === undefined ? '' : ` --to ${input.to}`;
  const outcome = `Nothing was sent. To publish all the same: npx release-index publish --force${option}`;
  const { live, warnings: unread } = input.force
    ? await readLiveParts(target.site)
    : { live: await readLive(target.site, outcome), warnings: [] };
  if (live) {
    const { definitions } = readDefinitions(root, settings);
    await judgePublication(live, site, { root, data, definitions, signal }, outcome);
  }

  const { digests } = key && !isDryRun ? await signSite(root, site, key) : site;
  const plan = {
    to,
    warnings: [...warnings, ...unread],
    ...compareDigests(digests, live?.digests),
  };
  if (isDryRun) {
    return { kind: 'planned', ...plan };
  }
  if (host === 'folder') {
    const left = copySite(out, to, digests);
    return { kind: 'published', ...plan, warnings: [...plan.warnings, ...describeLeft(to, left)] };
  }
  if (!config) {
    return { kind: 'ready', ...plan };
  }

  saveFile(join(root, configFile), formatJson(config));
  return { kind: 'ready', ...plan, command: deployCommand };
}

/** The files of a folder whose former list could not be read, so that nobody knows which of them are of the former site. */
function describeLeft(to: string, left: readonly string[]): Problem[] {
  const count = formatCount(left.length, 'file');
  const message = `has ${count} that the new SHA256SUMS lacks, and the former one could not be read: ${formatList(left, 20)}. Remove those that are of the former site`;
  return left.length > 0 ? asWarnings([{ subject: to, message }]) : [];
}

/** Throws an `InputError` for files that file managers left: a host takes the whole folder, and nobody vouches for them. */
function rejectLitter(out: string): void {
  const message = 'is not in SHA256SUMS, and the host would publish it. Remove it from the site';
  throwAll(listLitter(out).map((path) => ({ subject: join(out, path), message })));
}

/** Where the site of an index is published: at its address, in the folder of the settings, or in another one. */
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

/** The key to sign with. None where the index promises none, or where an earlier step has signed the site, which is verified. */
async function prepareKey({ out, settings, env }: PublishInput) {
  const { signingPublicKey: publicKey, releasesUrl: baseUrl } = settings;
  // Without a key here, the step that has it comes before this one.
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

/** `live`: without one, all files are new. */
function compareDigests(built: Digests, live: Digests = new Map()) {
  return {
    files: built.size,
    changed: [...built.keys()].filter((path) => built.get(path) !== live.get(path)),
    // A dry run adds no statements.
    gone: [...live.keys()].filter((path) => !built.has(path) && !path.startsWith(statementsFolder)),
  };
}
