import type { Component } from '../model/component.ts';
import type { JudgedRelease } from '../policy/judge.ts';
import { jsonLines, quote } from './json.ts';

/**
 * `<component>.json` in the response format of Renovate's custom datasource (renovatebot/renovate,
 * lib/modules/datasource/custom/readme.md). No `null` and no other keys: one bad field makes Renovate drop the component.
 * Oldest first, because mise and updatecli take the last entry as the latest.
 */
export function renderReleaseFile({ definition, judgement }: Component): string {
  const tags = judgement.latest ? `  "tags": { "latest": ${quote(judgement.latest.version)} },\n` : '';
  const head =
    `{\n  "homepage": ${quote(definition.homepage)},\n` +
    `  "changelogUrl": ${quote(definition.changelogUrl)},\n${tags}  "releases": `;
  return jsonLines(head, judgement.releases.map(renderRelease), '\n}\n');
}

function renderRelease(release: JudgedRelease): string {
  let text = `{ "version": ${quote(release.version)}`;
  if (release.releaseTimestamp !== undefined) text += `, "releaseTimestamp": "${release.releaseTimestamp}"`;
  if (release.changelogUrl !== undefined) text += `, "changelogUrl": ${quote(release.changelogUrl)}`;
  text += release.isDeprecated ? ', "isDeprecated": true' : ', "isDeprecated": false';
  // Renovate's `loose` calls every version stable; only the release itself can say otherwise.
  if (release.isPrerelease) text += ', "isStable": false';
  return `${text} }`;
}

/** `all.json`: the same documents under the names of their components. */
export function renderAllFile(texts: ReadonlyMap<string, string>): string {
  const entries = Array.from(texts, ([name, text]) => `${quote(name)}: ${text.trimEnd()}`);
  return entries.length === 0 ? '{"components": {}}\n' : `{"components": {\n${entries.join(',\n')}\n}}\n`;
}

export function renderIndexFile(names: readonly string[]): string {
  return `${JSON.stringify(names)}\n`;
}
