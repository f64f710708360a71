import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  findHost,
  findHostPlan,
  listPlaceholders,
  type SiteConfig,
} from '../../core/schemas/definition/site-config.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { InputError, isError, problem, type Finding } from '../../core/schemas/finding.ts';
import { endSentence, formatCount } from '../../core/text/wording.ts';
import { makeTemporaryFolder } from '../../io/files/file-system.ts';
import type { Root } from '../../io/files/root.ts';
import { buildSite, type BuildOptions } from '../../site/build-site.ts';
import { digestsFile, listSignedPaths } from '../../site/digests.ts';
import { listDifferences } from './file-changes.ts';
import { readBuiltFiles } from '../../site/output-folder.ts';
import { digestInputs } from '../../site/inputs.ts';
import { checkHostLimits } from '../host/host-limits.ts';
import { readBaseUrl, readBuiltSite, type BuiltSite } from '../publish/live.ts';
import { findDamagedFiles, readDigests } from '../sign/compare-digests.ts';
import { openFolderReader, readRequired, VerificationError } from '../sign/site-reader.ts';

const remedy = 'Run: npx release-index build';

/**
 * Checks the built site of a root. If definitions or data have changed since the build, checks only digests: while a person edits,
 * the site is usually outdated.
 */
export async function checkBuiltSite(root: Root, out: string): Promise<Finding[]> {
  try {
    const findings = await checkFiles({ out });
    if (findings.length > 0) {
      return findings;
    }

    const { asOf, inputs } = await readBuiltSite(out);
    return inputs === digestInputs(root)
      ? compareWithFreshBuild({ root, out, day: asOf, baseUrl: readBaseUrl(out) })
      : [];
  } catch (error) {
    return explainUnreadable(out, error);
  }
}

interface SiteToPublish {
  root: Root;
  /** The built site. */
  out: string;
  baseUrl: string;
  config: SiteConfig;
  /** Whether to compare the site with a fresh build, which takes a while: not if this run has just built it. */
  comparesContent?: boolean;
  /** Whether a signature and statements are in it, or will be. */
  isSigned: boolean;
}

/** Checks a site before its publication. Returns the site, or all findings of the first check that fails. Uses no network. */
export async function checkSiteToPublish(
  input: SiteToPublish,
): Promise<{ site?: BuiltSite; findings: Finding[] }> {
  const { root, out, baseUrl, comparesContent } = input;
  try {
    for (const check of [checkPlaceholders, checkFiles, checkBuiltAddress, checkHostAddress]) {
      const findings = await check(input);
      if (findings.length > 0) {
        return { findings };
      }
    }

    const site = await readBuiltSite(out);
    const differences = comparesContent
      ? compareWithFreshBuild({ root, out, baseUrl, day: site.asOf })
      : [];
    const findings = differences.length > 0 ? differences : checkLimits(site, input);
    return findings.length > 0 ? { findings } : { site, findings };
  } catch (error) {
    return { findings: explainUnreadable(out, error) };
  }
}

/** The problems of a site that cannot be read, or not be built again. Another version may have made it. Throws other errors again. */
function explainUnreadable(out: string, error: unknown): Finding[] {
  if (error instanceof VerificationError) {
    return [problem(error.subject, error.message)];
  }
  if (error instanceof QuestionError) {
    return [problem(out, `${endSentence(error.message)} ${remedy}`)];
  }
  if (error instanceof InputError) {
    return error.findings.filter(isError);
  }

  throw error;
}

function checkPlaceholders({ config }: SiteToPublish): Finding[] {
  return listPlaceholders(config).map((message) => problem('site/site.json', message));
}

/** The problem of a folder without a site. */
export function reportNoSite(out: string): Finding {
  return problem(out, `there is no built site. ${remedy}`);
}

/** The problem of a folder that has no site for the address at which it will be. */
export function checkBuiltAddress({
  out,
  baseUrl,
}: Pick<SiteToPublish, 'out' | 'baseUrl'>): Finding[] {
  const builtUrl = readBaseUrl(out);
  if (builtUrl === undefined) {
    return [reportNoSite(out)];
  }

  const message = `was built for the address ${builtUrl}, not for ${baseUrl}. ${remedy}`;
  return builtUrl === baseUrl ? [] : [problem(out, message)];
}

/** The host must serve the address. */
function checkHostAddress({ baseUrl, config }: SiteToPublish): Finding[] {
  if (findHost(config) !== 'cloudflare' || new URL(baseUrl).pathname === '/') {
    return [];
  }

  const message = `releasesUrl: ${baseUrl} has a path; the host serves a site at the root of a name`;
  return [problem('site/site.json', message)];
}

function checkLimits({ digests }: BuiltSite, { out, config, isSigned }: SiteToPublish): Finding[] {
  if (findHost(config) !== 'cloudflare') {
    return [];
  }

  const paths = [...digests.keys(), ...(isSigned ? listSignedPaths(digests.keys()) : [])];
  return checkHostLimits(out, paths, findHostPlan(config));
}

/** Checks that a built site has every listed file undamaged, and no other file. Throws a VerificationError if it has no readable list. */
async function checkFiles({ out }: { out: string }): Promise<Finding[]> {
  if (!existsSync(out)) {
    return [reportNoSite(out)];
  }

  const site = openFolderReader(out, remedy);
  const digests = readDigests(site, await readRequired(site, digestsFile));
  const damage = await Array.fromAsync(findDamagedFiles(site, digests));
  return damage.map(({ subject, message }) => problem(subject, message));
}

/**
 * Builds the site again in another folder and compares. Digests show only that no file changed since some build, not that the
 * present definitions and data give these files. Expects a site without problems in `checkFiles`.
 */
function compareWithFreshBuild({ out, ...options }: BuildOptions): Finding[] {
  using folder = makeTemporaryFolder();
  const fresh = join(folder.path, 'dist');
  buildSite({ ...options, out: fresh });

  const [first, ...others] = listDifferences(readBuiltFiles(out), readBuiltFiles(fresh));
  if (first === undefined) {
    return [];
  }

  const more = others.length === 0 ? '' : `, like ${formatCount(others.length, 'other file')}`;
  return [problem(first, `differs from a fresh build${more}. ${remedy}`)];
}
