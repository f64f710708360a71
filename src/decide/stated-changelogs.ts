import { changelogFiller, withoutBraces } from '../core/schemas/changelog-template.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { JudgedRelease } from './judge.ts';

/** Versions whose changelog is somewhere else than the definition says for versions in general. */
export interface StatedChangelog {
  /** May hold `{version}` and `{versionDashed}`, so that one address serves versions whose addresses are alike. */
  readonly template: string;
  readonly versions: readonly string[];
}

/** Of the releases that are not deprecated: nobody is offered another. */
export function statedChangelogs(
  { changelogUrl: whole, releaseChangelogUrl: rule }: Definition,
  releases: readonly JudgedRelease[],
): StatedChangelog[] {
  const usual = rule ? changelogFiller(rule.template) : () => whole;
  const found = new Map<string, string[]>();
  for (const { version, changelogUrl, isDeprecated } of releases) {
    if (isDeprecated || (changelogUrl ?? whole) === usual(version)) continue;
    const template = changelogUrl === undefined ? withoutBraces(whole) : templateOf(changelogUrl, version);
    const versions = found.get(template);
    if (versions) versions.push(version);
    else found.set(template, [version]);
  }
  return Array.from(found, ([template, versions]) => ({ template, versions }));
}

/** Filled with the version, it is the address again. */
function templateOf(changelogUrl: string, version: string): string {
  const address = withoutBraces(changelogUrl);
  const text = encodeURIComponent(version);
  if (address.includes(text)) return address.replaceAll(text, '{version}');
  return address.replaceAll(encodeURIComponent(version.replaceAll('.', '-')), '{versionDashed}');
}
