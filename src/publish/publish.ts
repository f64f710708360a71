/** Is the built site whole, may it replace the live one, and how does it get there? */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../core/day.ts';
import { digestsFile, signatureFile, unservedFiles } from '../core/sha256sums.ts';
import { InputError, type Problem } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import type { Settings } from '../core/schema/settings.ts';
import { openData } from '../record/files.ts';
import { checkSite } from './check-site.ts';
import { checkHost, deploy, findMissingSecrets } from './cloudflare.ts';
import { checkTarget, copySite } from './folder.ts';
import { judgePublication, readLive, type BuiltSite } from './live.ts';
import type { SigningKey } from './minisign.ts';
import { readBack } from './read-back.ts';
import { chooseSigningKey, keyVariable, signSite } from './sign.ts';
import { openAddress, openFolder } from './site-reader.ts';
import { verifySite } from './verify.ts';
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
  missing?: Problem[];
}

/** Checks everything before it sends anything. Throws an `InputError` with every problem. */
export async function publish(input: PublishInput): Promise<Publication> {
  const { root, out, settings, day, env, signal, isDryRun, onProgress } = input;
  const { releasesUrl: baseUrl } = settings;
  const target = findTarget(input);
  const keys = readWorkerKeys(root, env, day);
  const site: BuiltSite = { out, ...(await checkSite(out, baseUrl)) };
  checkPlace(target, baseUrl, site);

  const { key, missing } = await findSecrets(input, target);
  if (missing.length > 0 && !isDryRun) {
    throw new InputError(missing);
  }

  const to = target.folder ?? baseUrl;
  const reader = target.folder === undefined ? openAddress(to, fetch) : openFolder(to);
  const live = input.force ? undefined : await readLive(reader);
  if (live) {
    judgePublication(live, site, openData(root));
  }

  const plan = { to, ...compare(live?.digests ?? new Map(), site.digests) };
  if (isDryRun) {
    return { kind: 'planned', ...plan, missing };
  }
  if (key) {
    signSite(root, site, key);
  }

  switch (target.host) {
    case 'pages':
      return { kind: 'ready', ...plan };
    case 'folder':
      copySite(out, target.folder, site.digests);
      return { kind: 'published', ...plan };
    case 'cloudflare': {
      onProgress(`sending ${plan.changed.length} files to ${baseUrl}`);
      await deploy(
        { root, out, baseUrl, ...keys },
        `Release index as of ${site.status.asOf}`,
        env,
        signal,
      );
      onProgress(`reading back from ${baseUrl}`);
      const list = sha256(readFileSync(join(out, digestsFile)));
      const sent = new Map(site.digests).set(digestsFile, list);
      const changed = [digestsFile, ...plan.changed];
      const verified = await readBack(baseUrl, sent, changed, signal);
      return { kind: 'published', ...plan, verified };
    }
  }
}

type Target =
  { host: 'folder'; folder: string } | { host: 'cloudflare' | 'pages'; folder?: undefined };

/** `--to`, else what `hosting` of the settings says. */
function findTarget({ to, settings: { hosting = 'cloudflare' } }: PublishInput): Target {
  if (to !== undefined) {
    return { host: 'folder', folder: to };
  }
  return typeof hosting === 'object'
    ? { host: 'folder', folder: hosting.folder }
    : { host: hosting };
}

/** Throws an `InputError` where the site cannot go there. */
function checkPlace(target: Target, baseUrl: string, { out, digests }: BuiltSite): void {
  if (target.host === 'folder') {
    checkTarget(target.folder, out);
  }
  if (target.host === 'cloudflare') {
    const served = [...digests.keys()].filter((path) => !unservedFiles.has(path));
    checkHost(baseUrl, new Map(served.map((path) => [path, statSync(join(out, path)).size])));
  }
}

/** No key where none is promised, and where an earlier step, which alone has the key, has signed the site. */
async function findSecrets(
  { out, settings, env, day }: PublishInput,
  { host }: Target,
): Promise<{ key?: SigningKey | undefined; missing: Problem[] }> {
  const missing = host === 'cloudflare' ? findMissingSecrets(env) : [];
  const { signingPublicKey: publicKey, releasesUrl: baseUrl } = settings;
  if (publicKey && existsSync(join(out, signatureFile)) && !env[keyVariable]?.trim()) {
    await verifySite(openFolder(out), { publicKey, baseUrl, day, maxAgeDays: 366 });
    return { missing };
  }

  try {
    return { key: chooseSigningKey(env, settings), missing };
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }
    return { missing: [...missing, ...error.problems] };
  }
}

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  return {
    files: after.size,
    changed: [...after.keys()].filter((path) => after.get(path) !== before.get(path)),
    gone: [...before.keys()].filter((path) => !after.has(path)),
  };
}
