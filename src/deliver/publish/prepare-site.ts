import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { hostOf, placeholdersIn, planOf } from '../../core/schemas/site-config.ts';
import { counted } from '../../core/text.ts';
import { listComponents } from '../../io/files/root.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { loadComponent } from '../../site/load-component.ts';
import { signedPaths } from '../../site/own-files.ts';
import { baseUrlOf } from '../../site/render/preset.ts';
import { checkSite, compareWithFreshBuild } from '../check/built-site.ts';
import { changesSince } from '../check/index-changes.ts';
import { checkHostLimits } from '../host/host-limits.ts';
import { hostingFor, type Hosting } from '../host/hosting.ts';
import { readCopy, type Live, type LiveSite } from './live.ts';
import type { PublishInput } from './publish-site.ts';

/** A built site that may be published, as far as is known without the network. */
export interface PreparedSite extends LiveSite {
  hosting: Hosting;
}

/** Returns every reason against publication of one kind at once; the site only where there is none. */
export async function prepareSite(
  {
    root,
    out,
    config,
    baseUrl,
    isJustBuilt,
  }: Pick<PublishInput, 'root' | 'out' | 'config' | 'baseUrl' | 'isJustBuilt'>,
  isSigned: boolean,
): Promise<{ site?: PreparedSite; findings: Finding[] }> {
  const unknown = placeholdersIn(config).map((message) => problem('site/site.json', message));
  if (unknown.length > 0) return { findings: unknown };
  const damage = await checkSite(out);
  if (damage.length > 0) return { findings: damage };
  const builtFor = baseUrlOf(out);
  if (builtFor !== baseUrl) {
    const message = `was built for the address ${builtFor}, not for ${baseUrl}. Run: npx release-index build`;
    return { findings: [problem(out, message)] };
  }
  const isOurs = hostOf(config) === 'cloudflare';
  if (isOurs && new URL(baseUrl).pathname !== '/') {
    const message = `releasesUrl: ${baseUrl} has a path; the host serves a site at the root of a name`;
    return { findings: [problem('site/site.json', message)] };
  }
  const site = await readCopy(out);
  const different = isJustBuilt ? [] : compareWithFreshBuild({ root, out, day: site.asOf, baseUrl });
  if (different.length > 0) return { findings: different };
  const paths = [...site.digests.keys(), ...(isSigned ? signedPaths(site.digests.keys()) : [])];
  const limits = isOurs ? checkHostLimits(out, paths, planOf(config)) : [];
  return limits.length > 0
    ? { findings: limits }
    : { site: { ...site, hosting: hostingFor(baseUrl) }, findings: [] };
}

/** More is in `changes.json`. */
const maxTold = 20;

/** The changes that readers are told of. Only components are judged whose details differ from the live ones. */
export function tellChanges(
  live: Live,
  { asOf: day, digests }: PreparedSite,
  { root }: PublishInput,
): Finding[] {
  if (live.kind === 'nothing') return [];
  const { asOf = day, index, digests: known } = live.kind === 'site' ? live.site : {};
  const differs = (name: string) => {
    const path = `details/${name}.json`;
    return digests.get(path) !== known?.get(path);
  };
  const told = listComponents(root)
    .names.filter(differs)
    .flatMap((name) => {
      const { component } = loadComponent(root, name, day);
      if (!component) return [];
      const was = [name, ...(component.definition.renamedFrom ?? [])].find((each) => index?.has(each));
      return changesSince(component, index?.get(was ?? name), asOf, day).map((text) => ({ name, text }));
    });
  const more = told.length - maxTold;
  return [
    ...told.slice(0, maxTold).map(({ name, text }): Finding => asNotice(problem(name, text))),
    ...(more > 0 ? [asNotice(problem('publish', `${counted(more, 'more change')}`))] : []),
  ];
}

/** A site of a future day would make every site until then look older than the live one. */
export function checkDay({ asOf }: PreparedSite, { out, day, accept }: PublishInput): Finding[] {
  if (asOf === day) return [];
  const message = `is the index as of ${asOf}; today is ${day}`;
  if (asOf < day || accept) return [{ level: 'notice', subject: out, message }];
  return [
    problem(out, `${message}. Run: npx release-index build. To publish it all the same: publish --accept`),
  ];
}

export function servedDigests(out: string, { digests }: PreparedSite): Map<string, string> {
  const served = new Map(digests);
  for (const file of signedPaths(digests.keys())) {
    const path = join(out, file);
    if (existsSync(path)) served.set(file, sha256(readFileSync(path)));
  }
  return served;
}

export function isError(finding: Finding): boolean {
  return finding.level === 'error';
}

export function asNotice(finding: Finding): Finding {
  return { ...finding, level: 'notice' };
}
