import type { Day } from '../core/day.ts';
import type { Status } from '../core/schema/documents.ts';
import type { Settings } from '../core/schema/settings.ts';
import { formatList } from '../core/text.ts';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { InputError, inputError } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import { checkSite } from './check-site.ts';
import { checkLimits, deploy, findMissingSecrets } from './cloudflare.ts';
import {
  digestsFile,
  parseDigests,
  signatureFile,
  unservedFiles,
  type Digests,
} from '../core/sha256sums.ts';
import { checkTarget, copySite, readFolder } from './folder.ts';
import { readWorkerKeys } from './worker-keys.ts';
import type { SigningKey } from './minisign.ts';
import { chooseSigningKey, keyVariable, signSite } from './sign.ts';
import { openAddress, openFolder, type SiteReader } from './site-reader.ts';
import { verifySite } from './verify.ts';

export interface PublishInput {
  root: string;
  out: string;
  settings: Settings;
  /** The address of the site, if it is not that of the settings. */
  baseUrl?: string | undefined;
  /** The folder of a server, if it is not that of the settings. */
  to?: string | undefined;
  day: Day;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  isDryRun: boolean;
  /** Publish without looking at the live site. */
  force: boolean;
  onProgress(text: string): void;
}

/** `planned`: nothing was sent. `ready`: the workflow deploys it to GitHub Pages. */
export interface Publication {
  kind: 'planned' | 'unchanged' | 'ready' | 'published';
  /** An address or a folder. */
  to: string;
  files: number;
  changed: string[];
  gone: string[];
  /** Read back after the publication. */
  verified?: number;
}

/** Checks everything before it sends anything. Throws an InputError with every problem. */
export async function publish(input: PublishInput): Promise<Publication> {
  const { root, out, settings, env, isDryRun } = input;
  const baseUrl = input.baseUrl ?? settings.releasesUrl;
  const folder =
    input.to ?? (typeof settings.hosting === 'object' ? settings.hosting.folder : undefined);
  const host = folder === undefined ? (settings.hosting ?? 'files') : 'files';

  const { digests, status } = await checkSite(out, baseUrl);
  const key = await chooseKey(input, baseUrl);
  if (host === 'files' && folder === undefined) {
    throw inputError(
      'site/site.json',
      'names no folder to publish to: "hosting": { "folder": "/srv/releases" }, or --to',
    );
  }
  if (folder !== undefined) {
    checkTarget(folder, out);
  }
  if (host === 'cloudflare') {
    checkCloudflare(input, baseUrl, digests);
  }

  const site = folder === undefined ? openAddress(baseUrl, fetch) : openFolder(folder);
  const live = input.force ? undefined : await readLive(site, status);
  const before = folder === undefined ? (live?.digests ?? new Map()) : readFolder(folder);
  const plan = {
    to: folder ?? baseUrl,
    files: digests.size,
    changed: [...digests.keys()].filter((path) => digests.get(path) !== before.get(path)),
    gone: [...before.keys()].filter((path) => !digests.has(path)),
  };
  if (isDryRun) {
    return { kind: 'planned', ...plan };
  }
  if (key) {
    signSite(out, baseUrl, key);
  }

  if (folder !== undefined) {
    copySite(out, folder, digests);
    return { kind: 'published', ...plan, verified: digests.size };
  }
  if (host === 'pages') {
    return { kind: 'ready', ...plan };
  }

  const { access, secrets } = readWorkerKeys(root, env, input.day);
  if (plan.changed.length + plan.gone.length === 0 && !access) {
    return { kind: 'unchanged', ...plan };
  }

  input.onProgress(`sending ${plan.changed.length} files to ${baseUrl}`);
  await deploy(
    { root, out, baseUrl, access, secrets },
    `Release index as of ${status.asOf}`,
    env,
    input.signal,
  );
  input.onProgress(`reading back from ${baseUrl}`);
  const sent = new Map(digests).set(digestsFile, sha256(readFileSync(join(out, digestsFile))));
  const verified = await readBack(baseUrl, sent, plan.changed, input.signal);
  return { kind: 'published', ...plan, verified };
}

/** The key to sign with. None in a dry run, and if an earlier step, which alone has the key, has signed the site. */
async function chooseKey(
  { out, settings, env, day, isDryRun }: PublishInput,
  baseUrl: string,
): Promise<SigningKey | undefined> {
  const publicKey = settings.signingPublicKey;
  if (publicKey && existsSync(join(out, signatureFile)) && !env[keyVariable]?.trim()) {
    await verifySite(openFolder(out), { publicKey, baseUrl, day, maxAgeDays: 366 });
    return undefined;
  }

  return isDryRun ? undefined : chooseSigningKey(env, settings);
}

function checkCloudflare(
  { env, isDryRun, out }: PublishInput,
  baseUrl: string,
  digests: Digests,
): void {
  const served = [...digests.keys()].filter((path) => !unservedFiles.has(path));
  const problems = checkLimits(
    new Map(served.map((path) => [path, statSync(join(out, path)).size])),
  );
  if (!isDryRun) {
    problems.push(...findMissingSecrets(env));
  }
  if (new URL(baseUrl).pathname !== '/') {
    problems.push({
      subject: 'site/site.json',
      message: `releasesUrl: ${baseUrl} has a path; Cloudflare serves a site at the root of a name`,
    });
  }
  if (problems.length > 0) {
    throw new InputError(problems);
  }
}

/**
 * The live site; undefined if there is none. Throws an InputError if it is newer than this one, whose readers would then lose events:
 * this checkout is behind, or its history was rewritten.
 */
async function readLive(
  site: SiteReader,
  { asOf, events }: Status,
): Promise<{ digests: Digests } | undefined> {
  const remedy = 'Nothing was sent. To publish without looking at the live site: --force';
  const [status, list] = await Promise.all([
    site.read('status.json'),
    site.read(digestsFile),
  ]).catch((error: Error) => {
    // A new name does not answer yet.
    if (error.message.includes('ENOTFOUND')) {
      return [];
    }

    throw inputError('live site', `${error.message}. ${remedy}`);
  });
  if (!status || !list) {
    return undefined;
  }

  const live = JSON.parse(status.toString()) as Status;
  if (live.asOf > asOf || live.events > events) {
    const own = `this one is of ${asOf} with ${events}`;
    throw inputError(
      'live site',
      `is of ${live.asOf} with ${live.events} events; ${own}. If this checkout is behind: git pull. ${remedy}`,
    );
  }

  return { digests: parseDigests(list.toString()) };
}

const cacheControl = 'public, max-age=3600';
const maxFiles = 300;
/** A new version reaches all data centres of Cloudflare within seconds; a minute is generous. */
const waitsMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** Reads the site back from its address until each file is the one that was sent. Returns their number. */
async function readBack(
  baseUrl: string,
  digests: Digests,
  changed: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const served = [...new Set([digestsFile, ...changed, ...digests.keys()])].filter(
    (path) => digests.has(path) && !unservedFiles.has(path),
  );
  const paths = served.slice(0, maxFiles);
  let wrong: string[] = paths;

  for (const ms of waitsMs) {
    await wait(ms, undefined, { signal });
    const results = await Promise.all(
      wrong.map((path) => isServed(`${baseUrl}/${path}`, digests.get(path))),
    );
    wrong = wrong.filter((_, index) => !results[index]);
    if (wrong.length === 0) {
      return paths.length;
    }
  }

  const rollback = 'Go back to the version before: npx wrangler rollback';
  throw inputError(
    baseUrl,
    `does not serve with "Cache-Control: ${cacheControl}" what was sent: ${formatList(wrong, 3)}. ${rollback}`,
  );
}

async function isServed(url: string, digest: string | undefined): Promise<boolean> {
  const response = await fetch(url, {
    cache: 'no-store',
    signal: AbortSignal.timeout(30_000),
  }).catch(() => undefined);
  const body = await response?.bytes().catch(() => undefined);
  return (
    body !== undefined &&
    sha256(body) === digest &&
    response?.headers.get('cache-control') === cacheControl
  );
}
