/** Is the built site whole, may it replace the live one, and how does it get there? */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../core/day.ts';
import { digestsFile, signatureFile, statementsFolder, type Digests } from '../core/sha256sums.ts';
import { InputError, readProblems, type Problem } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import { readDefinitions } from '../core/index/read-folder.ts';
import type { Settings } from '../core/schema/settings.ts';
import { openData } from '../record/files.ts';
import { checkSite } from './check-site.ts';
import { checkHost, deploy, findMissingSecrets } from './cloudflare.ts';
import { checkTarget, copySite } from './folder.ts';
import { requireTold } from './history.ts';
import { judgePublication, nothingSent, readLive } from './live.ts';
import { keyVariable } from './minisign.ts';
import { readBack } from './read-back.ts';
import { chooseSigningKey, signSite } from './sign.ts';
import { openSite } from '../core/index/site-reader.ts';
import { readDigests, verifyStatements } from './verify.ts';
import { readWorkerKeys } from './worker-keys.ts';

interface PublishInput {
  root: string;
  out: string;
  settings: Settings;
  /** The folder of a server, if it is not that of the settings. */
  to?: string | undefined;
  day: Day;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  isDryRun?: boolean | undefined;
  /** Publish without looking at the live site. */
  force?: boolean | undefined;
  onProgress(text: string): void;
}

export interface Publication {
  /** `planned`: nothing was sent. `ready`: the workflow deploys it to GitHub Pages. */
  kind: 'planned' | 'ready' | 'published';
  /** An address or a folder. */
  to: string;
  files: number;
  changed: string[];
  gone: string[];
  /** Files that were read back after the publication. */
  verified?: number;
  /** What a dry run found missing for a publication: secrets, mostly. */
  missing?: readonly Problem[];
}

/** Checks everything before it sends anything. Throws an `InputError` with every problem. */
export async function publish(input: PublishInput): Promise<Publication> {
  const { root, out, settings, day, env, signal, isDryRun, onProgress } = input;
  const { releasesUrl: baseUrl } = settings;
  const target = findTarget(settings, signal, input.to);
  const { host, to } = target;
  const keys = readWorkerKeys(root, env, day);
  const site = await checkSite(out, baseUrl);
  if (host === 'folder') {
    checkTarget(to, out);
  }
  if (host === 'cloudflare') {
    checkHost(baseUrl);
  }

  const { key, problems } = await prepareKey(input);
  const missing = host === 'cloudflare' ? [...findMissingSecrets(env), ...problems] : problems;
  if (missing.length > 0 && !isDryRun) {
    throw new InputError(missing);
  }

  const live = input.force ? undefined : await readLive(target.site);
  if (live) {
    const { definitions } = readDefinitions(root, settings);
    const outcome = `Then build again. ${nothingSent}`;
    await requireTold(live.told, { ...target, root, definitions, folder: out, outcome });
    await judgePublication(live, site, openData(root));
  }

  if (isDryRun) {
    return { kind: 'planned', to, ...compareDigests(site.digests, live?.digests), missing };
  }

  const { digests } = key ? await signSite(root, site, key) : site;
  const plan = { to, ...compareDigests(digests, live?.digests) };
  if (host === 'folder') {
    copySite(out, to, digests);
    return { kind: 'published', ...plan };
  }
  if (host === 'pages') {
    return { kind: 'ready', ...plan };
  }

  onProgress(`sending ${plan.changed.length} files to ${baseUrl}`);
  const message = `Release index as of ${site.status.asOf}`;
  await deploy({ root, out, baseUrl, ...keys }, message, env, signal);
  onProgress(`reading back from ${baseUrl}`);
  const list = sha256(readFileSync(join(out, digestsFile)));
  const sent = new Map(digests).set(digestsFile, list);
  const verified = await readBack(baseUrl, sent, [digestsFile, ...plan.changed], signal);
  return { kind: 'published', ...plan, verified };
}

/** Where the site of an index is published: at its address, in the folder of the settings, or in another one. */
export function findTarget(
  { releasesUrl, hosting }: Settings,
  signal: AbortSignal,
  other?: string,
) {
  const configured = typeof hosting === 'object' ? hosting.folder : undefined;
  const folder = other ?? configured;
  const host = folder === undefined && typeof hosting === 'string' ? hosting : 'folder';
  const to = folder ?? releasesUrl;
  const isOther = other !== undefined && other !== configured;
  return { host, to, site: openSite(to, signal), from: isOther ? ` --from ${other}` : '' } as const;
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
