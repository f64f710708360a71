import { problem, type Finding } from '../../core/schemas/finding.ts';
import { placeholdersIn, type SiteConfig } from '../../core/schemas/site-config.ts';
import { listed } from '../../core/text.ts';
import { readCommit } from '../../io/files/git.ts';
import type { Root } from '../../io/files/root.ts';
import { baseUrlOf } from '../../site/render/preset.ts';
import { signedPaths } from '../../site/own-files.ts';
import { checkSite, compareWithFreshBuild } from '../check/built-site.ts';
import { checkHostLimits } from '../host/host-limits.ts';
import { hostingFor, type Hosting } from '../host/hosting.ts';
import { readCopy, type LiveSite } from './live.ts';

/** A built site that may be published, as far as is known without the network. */
export interface PreparedSite extends LiveSite {
  hosting: Hosting;
}

export interface PrepareInput {
  root: Root;
  out: string;
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  /** Where it is to be published. */
  baseUrl: string;
  /** It will be signed, which adds files. */
  isSigned: boolean;
  /** The same run has just built it, so that it equals a fresh build. */
  isJustBuilt: boolean;
}

/** Returns every reason against publication of one kind at once; the site only where there is none. */
export async function prepareSite(
  input: PrepareInput,
): Promise<{ site?: PreparedSite; findings: Finding[] }> {
  const { root, out, config, baseUrl, isSigned, isJustBuilt } = input;
  const unknown = placeholdersIn(config).map((message) => problem('site/site.json', message));
  if (unknown.length > 0) return { findings: unknown };
  const damage = await checkSite(out);
  if (damage.length > 0) return { findings: damage };
  const builtFor = baseUrlOf(out);
  if (builtFor !== baseUrl) {
    const message = `was built for the address ${builtFor}, not for ${baseUrl}. Run: npx release-index build`;
    return { findings: [problem(out, message)] };
  }
  let hosting: Hosting;
  try {
    hosting = hostingFor(baseUrl);
  } catch (error) {
    return { findings: [problem('site/site.json', (error as Error).message)] };
  }
  const site = await readCopy(out);
  const different = isJustBuilt ? [] : compareWithFreshBuild({ root, out, day: site.asOf, baseUrl });
  if (different.length > 0) return { findings: different };
  const paths = [...site.digests.keys(), ...(isSigned ? signedPaths(site.digests.keys()) : [])];
  const limits = checkHostLimits(out, paths, config.hosting?.plan ?? 'free');
  if (limits.length > 0) return { findings: limits };
  return { site: { ...site, hosting }, findings: checkWorkingTree(input) };
}

/** A site that is not that of a commit cannot be built again. */
function checkWorkingTree({ root, env }: PrepareInput): Finding[] {
  const notice = (message: string): Finding[] => [{ level: 'notice', subject: root.dir, message }];
  const commit = readCommit(root, env);
  if (!commit) return notice('is not the checkout of a commit, from which this site could be built again');
  const { id, changed } = commit;
  if (changed.length === 0) return [];
  return notice(
    `${listed(changed, 3)}: not as in the commit ${id.slice(0, 10)}, from which this site cannot be built again`,
  );
}
