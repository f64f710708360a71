import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import type { Protection } from '../../core/schemas/access/access-config.ts';
import {
  findHost,
  listPlaceholders,
  findHostPlan,
  type SiteConfig,
} from '../../core/schemas/definition/site-config.ts';
import { isError, notice, problem, type Finding } from '../../core/schemas/finding.ts';
import { endSentence } from '../../core/text/wording.ts';
import { sha256 } from '../../io/files/file-system.ts';
import type { Root } from '../../io/files/root.ts';
import { digestsFile, signatureFile, listSignedPaths, type Digests } from '../../site/digests.ts';
import { readBaseUrl } from '../../site/render/renovate/preset.ts';
import { checkSite, compareWithFreshBuild } from '../check/built-site.ts';
import { checkHostLimits } from '../host/host-limits.ts';
import { chooseSigningKey, signingKeyVariable, signSite } from '../sign/sign-site.ts';
import { openFolderReader, VerificationError } from '../sign/site-reader.ts';
import { verifySite } from '../sign/verify-site.ts';
import { readCopy, type Live, type LiveSite } from './live.ts';
import { findLostEvents } from './lost-events.ts';

export interface PublishInput {
  root: Root;
  /** The built site. */
  out: string;
  day: Day;
  baseUrl: string;
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  isDryRun: boolean;
  /** Whether the same run has just built the site. */
  isJustBuilt: boolean;
  /** Whether a person intends to remove the protection of the live site. */
  unprotect: boolean;
  onProgress(text: string): void;
}

/** The changes at the public address. */
export interface PublicationPlan {
  baseUrl: string;
  /** Empty for a plain file host. */
  worker: string;
  asOf: string;
  files: number;
  /** The part of the site that will need a credential; absent for a public site. */
  protect?: Protection | undefined;
  /** The number of access keys that the host will accept; absent if it keeps its own list. */
  keys?: number | undefined;
  /** Day of the live site; absent if there is none. */
  liveAsOf?: string | undefined;
  /** New and changed files. */
  changed: string[];
  /** Live files that will disappear. */
  gone: string[];
}

export type Publication =
  /** Nothing was sent. */
  | { kind: 'refused'; findings: Finding[] }
  /** `ready`: a workflow deploys it. */
  | { kind: 'planned' | 'unchanged' | 'ready'; plan: PublicationPlan; findings: Finding[] }
  | {
      kind: 'published';
      plan: PublicationPlan;
      findings: Finding[];
      versionId: string;
      sentFiles: number;
      verifiedFiles: number;
    }
  /** The live site could not be read, or sending broke off; the findings say which site is live. */
  | { kind: 'failed'; plan?: PublicationPlan; findings: Finding[]; versionId?: string | undefined };

/** The address or folder to publish to, with everything that depends on its kind. */
interface Destination {
  /** Address or folder. */
  address: string;
  /** Missing secrets or settings. A dry run reports them as notices. */
  gaps: readonly Finding[];
  findings: readonly Finding[];
  planParts: Pick<PublicationPlan, 'worker' | 'protect' | 'keys'>;
  /** Reads the live site; the findings are about its protection. */
  readLive(ownDigests: Digests): Promise<{ live: Live; findings: readonly Finding[] }>;
}

/** A site ready to send: checked, and signed if a key is configured. */
export interface PreparedSite {
  plan: PublicationPlan;
  findings: Finding[];
  /** The digests of all files, by path. */
  digests: Digests;
  /** The live site whose events the journals have. */
  live: ReadableLive;
  /** Since when the newest run of the site is public, if it is already. */
  publishedAt: string | undefined;
}

type ReadableLive = Exclude<Live, { kind: 'unreadable' }>;

/** The checks that all hosts share. Returns no site if an error prevents publication. A dry run signs nothing. */
export async function preparePublication(
  input: PublishInput,
  { address, gaps, findings: ownFindings, planParts, readLive }: Destination,
): Promise<
  ({ kind: 'prepared' } & PreparedSite) | Extract<Publication, { kind: 'refused' | 'failed' }>
> {
  const { root, out, isDryRun } = input;
  const signing = await findSignature(input);
  const isSigned = signing.key !== undefined || existsSync(join(out, signatureFile));
  const { site, findings } = await checkSiteToPublish({ ...input, isSigned });
  for (const gap of [...signing.findings, ...gaps]) {
    findings.push(isDryRun ? notice(gap.subject, gap.message) : gap);
  }
  findings.push(...ownFindings);
  if (site) {
    findings.push(...checkDay(site, input));
  }

  if (!site || findings.some(isError)) {
    return { kind: 'refused', findings };
  }

  const { live, findings: liveFindings } = await readLive(site.digests);
  findings.push(...liveFindings, ...checkLive(root, live));
  if (live.kind === 'unreadable') {
    return { kind: 'failed', findings };
  }
  if (findings.some(isError)) {
    return { kind: 'refused', findings };
  }

  const { asOf, run } = site;
  if (!isDryRun && signing.key) {
    signSite({ ...input, key: signing.key, asOf });
  }

  const digests = addSignedFiles(out, site.digests);
  const plan = planPublication({ baseUrl: address, asOf, digests, live, ...planParts });

  const isPublic = live.kind === 'site' && live.site.run.published === run.published;
  const publishedAt = isPublic ? live.site.run.publishedAt : undefined;
  return { kind: 'prepared', plan, findings, digests, live, publishedAt };
}

/** Readers of the live site must not lose events, so a site that cannot be read stops the publication. */
function checkLive(root: Root, live: Live): Finding[] {
  switch (live.kind) {
    case 'unreadable':
      return [problem('live site', `${endSentence(live.reason)} Nothing was sent: run it again`)];
    case 'nothing':
      return [notice('live site', live.reason)];
    case 'site': {
      const lost = findLostEvents(root, live.site.events);
      return lost ? [lost] : [];
    }
  }
}

/** The digests of all files: the list of the site omits those that signing adds. */
function addSignedFiles(out: string, listedDigests: Digests): Digests {
  const digests = new Map(listedDigests);
  for (const path of listSignedPaths(listedDigests.keys())) {
    const file = join(out, path);
    if (existsSync(file)) {
      digests.set(path, sha256(readFileSync(file)));
    }
  }
  return digests;
}

/** The key to sign with, or the signature of an earlier step, which had the key. */
async function findSignature({
  out,
  day,
  baseUrl,
  config,
  env,
}: PublishInput): Promise<ReturnType<typeof chooseSigningKey>> {
  const publicKey = config.signingPublicKey;
  const signing = chooseSigningKey(env[signingKeyVariable], publicKey);
  const isSigned = !env[signingKeyVariable] && existsSync(join(out, signatureFile));
  if (publicKey === undefined || !isSigned) {
    return signing;
  }

  try {
    await verifySite(openFolderReader(out), { publicKey, baseUrl, day, maxAgeDays: 366 });
    return { findings: [] };
  } catch (error) {
    if (!(error instanceof VerificationError)) {
      throw error;
    }

    return { findings: [problem(error.subject, error.message)] };
  }
}

export function planPublication({
  digests,
  live,
  ...site
}: Pick<PublicationPlan, 'baseUrl' | 'worker' | 'asOf' | 'protect' | 'keys'> &
  Pick<PreparedSite, 'digests' | 'live'>): PublicationPlan {
  const signedPaths = new Set(listSignedPaths(digests.keys()));
  const paths = [...digests.keys()].sort();
  const files = [
    ...paths.filter((path) => !signedPaths.has(path)),
    ...paths.filter((path) => signedPaths.has(path)),
  ];
  const liveDigests: Digests = live.kind === 'site' ? live.site.digests : new Map();

  // SHA256SUMS does not list signed files. They change whenever the list changes.
  const isLive = (path: string) => liveDigests.get(path) === digests.get(path);
  return {
    ...site,
    files: files.length,
    liveAsOf: live.kind === 'site' ? live.site.asOf : undefined,
    changed: files.filter((path) => !isLive(signedPaths.has(path) ? digestsFile : path)),
    gone: [...liveDigests.keys()].filter((path) => !digests.has(path)).sort(),
  };
}

/** Returns the site, or all findings of the first kind of check that fails. Uses no network. */
export async function checkSiteToPublish({
  root,
  out,
  config,
  baseUrl,
  isJustBuilt,
  isSigned,
}: Pick<PublishInput, 'root' | 'out' | 'config' | 'baseUrl' | 'isJustBuilt'> & {
  isSigned: boolean;
}): Promise<{ site?: LiveSite; findings: Finding[] }> {
  const placeholders = listPlaceholders(config).map((message) =>
    problem('site/site.json', message),
  );
  if (placeholders.length > 0) {
    return { findings: placeholders };
  }

  const damage = await checkSite(out);
  if (damage.length > 0) {
    return { findings: damage };
  }

  const builtUrl = readBaseUrl(out);
  if (builtUrl !== baseUrl) {
    const message = `was built for the address ${builtUrl}, not for ${baseUrl}. Run: npx release-index build`;
    return { findings: [problem(out, message)] };
  }

  const isCloudflare = findHost(config) === 'cloudflare';
  if (isCloudflare && new URL(baseUrl).pathname !== '/') {
    const message = `releasesUrl: ${baseUrl} has a path; the host serves a site at the root of a name`;
    return { findings: [problem('site/site.json', message)] };
  }

  const site = await readCopy(out);
  const differences = isJustBuilt
    ? []
    : compareWithFreshBuild({ root, out, day: site.asOf, baseUrl });
  if (differences.length > 0) {
    return { findings: differences };
  }

  const paths = [...site.digests.keys()];
  if (isSigned) {
    paths.push(...listSignedPaths(paths));
  }

  const limits = isCloudflare ? checkHostLimits(out, paths, findHostPlan(config)) : [];
  return limits.length > 0 ? { findings: limits } : { site, findings: [] };
}

/** Publishing a future day would make every site until then look outdated. */
function checkDay({ asOf }: LiveSite, { out, day }: PublishInput): Finding[] {
  const message = `is the index as of ${asOf}; today is ${day}`;
  if (asOf < day) {
    return [notice(out, message)];
  }

  return asOf > day ? [problem(out, `${message}. Run: npx release-index build`)] : [];
}
