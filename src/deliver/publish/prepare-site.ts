import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isError, notice, problem, type Finding } from '../../core/schemas/finding.ts';
import { endSentence } from '../../core/text/wording.ts';
import { readIfThere, sha256 } from '../../io/files/file-system.ts';
import type { Root } from '../../io/files/root.ts';
import { digestsFile, signatureFile, listSignedPaths, type Digests } from '../../site/digests.ts';
import { checkSiteToPublish } from '../check/built-site.ts';
import { chooseSigningKey, signingKeyVariable } from '../sign/choose-signing-key.ts';
import type { SigningKey } from '../sign/minisign.ts';
import { signSite } from '../sign/sign-site.ts';
import { expectVerificationError, openFolderReader } from '../sign/site-reader.ts';
import { verifySite } from '../sign/verify-site.ts';
import type { BuiltSite, Live } from './live.ts';
import { findLostEvents } from './lost-events.ts';
import type { Publication, PublicationPlan, PublishInput } from './publication.ts';

/** The findings about the address or folder to publish to. */
interface DestinationFindings {
  /** About missing secrets or settings. A dry run reports them as notices. */
  missing: readonly Finding[];
  findings: readonly Finding[];
}

/** A built site that passed all checks that need no live site. */
interface CheckedSite {
  kind: 'checked';
  site: BuiltSite;
  /** The key to sign with, if there is one. */
  key: SigningKey | undefined;
  findings: readonly Finding[];
}

/** A site ready to send: checked, and signed if a key is configured. */
export interface PreparedSite {
  kind: 'prepared';
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

/** Checks the built site, its key and its destination, before the live site is read. */
export async function checkSite(
  input: PublishInput,
  destination: DestinationFindings,
): Promise<CheckedSite | Publication> {
  const { out, env, config, isDryRun } = input;
  const { key, findings: keyFindings } = needsVerification(input)
    ? { findings: await verifySignature(input) }
    : chooseSigningKey(env[signingKeyVariable], config.signingPublicKey);
  const isSigned = key !== undefined || existsSync(join(out, signatureFile));
  const { site, findings: siteFindings } = await checkSiteToPublish({ ...input, isSigned });

  const missing = [...keyFindings, ...destination.missing];
  const findings = [
    ...siteFindings,
    ...(isDryRun ? missing.map(({ subject, message }) => notice(subject, message)) : missing),
    ...destination.findings,
    ...(site ? checkDay(site, input) : []),
  ];
  return site && !findings.some(isError)
    ? { kind: 'checked', site, key, findings }
    : { kind: 'refused', findings };
}

/** Whether an earlier step has signed the site, and only it had the key. */
function needsVerification({ out, config, env }: PublishInput): boolean {
  const hasKey = Boolean(env[signingKeyVariable]?.trim());
  return config.signingPublicKey !== undefined && !hasKey && existsSync(join(out, signatureFile));
}

/** The problem of a site that was not signed as promised. */
async function verifySignature({ out, day, baseUrl, config }: PublishInput): Promise<Finding[]> {
  const publicKey = config.signingPublicKey;
  try {
    // `checkDay` tells how old it is.
    await verifySite(openFolderReader(out), { publicKey, baseUrl, day, maxAgeDays: 366 });
    return [];
  } catch (error) {
    const { subject, message } = expectVerificationError(error);
    return [problem(subject, message)];
  }
}

/** Publishing a future day would make every site until then look outdated. */
function checkDay({ asOf }: BuiltSite, { out, day }: PublishInput): Finding[] {
  const message = `is the index as of ${asOf}; today is ${day}`;
  if (asOf < day) {
    return [notice(out, message)];
  }

  return asOf > day ? [problem(out, `${message}. Run: npx release-index build`)] : [];
}

/**
 * Compares a checked site with the live one, about whose protection there may be findings, signs it and plans its publication. A dry
 * run ends with the plan, and signs nothing.
 */
export function prepareSite(
  input: PublishInput,
  { site, key, findings: checkFindings }: CheckedSite,
  { live, findings: liveFindings }: { live: Live; findings: readonly Finding[] },
  planParts: Pick<PublicationPlan, 'baseUrl' | 'worker' | 'protect' | 'keys'>,
): PreparedSite | Publication {
  const { root, out, isDryRun } = input;
  const findings = [...checkFindings, ...liveFindings, ...checkLive(root, live)];
  if (live.kind === 'unreadable') {
    return { kind: 'failed', findings };
  }
  if (findings.some(isError)) {
    return { kind: 'refused', findings };
  }

  const { asOf, newestRunAt } = site;
  if (key && !isDryRun) {
    signSite({ ...input, key, asOf });
  }

  const digests = addSignedFiles(out, site.digests);
  const plan = { ...planParts, asOf, ...planFiles(digests, live) };
  if (isDryRun) {
    return { kind: 'planned', plan, findings };
  }

  const isPublic = live.kind === 'site' && live.site.run.published === newestRunAt;
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

/** The digests of all files: those that the list of the site omits, since signing adds them, come last. */
function addSignedFiles(out: string, listedDigests: Digests): Digests {
  const digests = new Map(listedDigests);
  for (const path of listSignedPaths(listedDigests.keys())) {
    const bytes = readIfThere(join(out, path));
    if (bytes) {
      digests.set(path, sha256(bytes));
    }
  }
  return digests;
}

/** The part of a plan that follows from the files of a site and of the live one. */
function planFiles(digests: Digests, live: ReadableLive) {
  const signedPaths = new Set(listSignedPaths(digests.keys()));
  const liveSite = live.kind === 'site' ? live.site : undefined;
  const liveDigests: Digests = liveSite?.digests ?? new Map();

  // SHA256SUMS does not list signed files. They change whenever the list changes.
  const isChanged = (path: string) => liveDigests.get(path) !== digests.get(path);
  return {
    files: digests.size,
    liveAsOf: liveSite?.asOf,
    changed: [...digests.keys()].filter((path) =>
      isChanged(signedPaths.has(path) ? digestsFile : path),
    ),
    gone: [...liveDigests.keys()].filter((path) => !digests.has(path)).sort(),
  };
}
