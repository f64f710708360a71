import type { Component } from '../../decide/component.ts';
import type { JudgedRelease } from '../../decide/judge.ts';
import { arrayByLine } from './array-by-line.ts';

/**
 * `<component>.json` in the response format of Renovate's custom datasource (renovatebot/renovate,
 * lib/modules/datasource/custom/readme.md). No `null` and no other keys: one bad field makes Renovate drop the component.
 * Oldest first, because mise and updatecli take the last entry as the latest.
 */
export function renderReleaseFile({ definition, judgement }: Component): string {
  const members = [
    `"homepage": ${JSON.stringify(definition.homepage)}`,
    `"changelogUrl": ${JSON.stringify(definition.changelogUrl)}`,
    ...(judgement.latest ? [`"tags": { "latest": ${JSON.stringify(judgement.latest.version)} }`] : []),
    `"releases": ${arrayByLine(judgement.releases, renderRelease)}`,
  ];
  return `{\n  ${members.join(',\n  ')}\n}\n`;
}

function renderRelease(release: JudgedRelease): string {
  const { version, releaseTimestamp, changelogUrl, isDeprecated, isPrerelease } = release;
  // Renovate's `loose` calls every version stable; only the release itself can say otherwise.
  const isStable = isPrerelease ? false : undefined;
  const fields = { version, releaseTimestamp, changelogUrl, isDeprecated, isStable };
  return JSON.stringify(fields, undefined, 1).replaceAll(/\n ?/g, ' ');
}
