import type { Component } from '../policy/component.ts';
import type { JudgedRelease } from '../policy/judge.ts';
import { jsonLines, quote, versionInJson } from './json.ts';

/**
 * `<component>.json` in the response format of Renovate's custom datasource (renovatebot/renovate,
 * lib/modules/datasource/custom/readme.md). No `null` and no other keys: one bad field makes Renovate drop the component.
 * Oldest first, because mise and updatecli take the last entry as the latest.
 */
export function renderReleaseFile({ definition, judgement }: Component): Generator<string> {
  const tags = judgement.latest ? `  "tags": { "latest": ${quote(judgement.latest.version)} },\n` : '';
  const head =
    `{\n  "homepage": ${quote(definition.homepage)},\n` +
    `  "changelogUrl": ${quote(definition.changelogUrl)},\n${tags}  "releases": `;
  return jsonLines(head, judgement.releases, renderRelease, '\n}\n');
}

function renderRelease(release: JudgedRelease): string {
  const { releaseTimestamp, changelogUrl, isDeprecated, isPrerelease } = release;
  let text = `{ "version": "${versionInJson(release)}"`;
  if (releaseTimestamp !== undefined) text += `, "releaseTimestamp": "${releaseTimestamp}"`;
  if (changelogUrl !== undefined) text += `, "changelogUrl": "${changelogUrl}"`;
  text += isDeprecated ? ', "isDeprecated": true' : ', "isDeprecated": false';
  // Renovate's `loose` calls every version stable; only the release itself can say otherwise.
  return text + (isPrerelease ? ', "isStable": false }' : ' }');
}

export function renderIndexFile(names: readonly string[]): string {
  return `${JSON.stringify(names)}\n`;
}
