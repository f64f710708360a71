import type { Component, SiteFile } from '../model/component.ts';
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

/** A document of all components that would be longer is published in parts; hosts take files up to 25 MiB. */
const maxPartLength = 20 * 2 ** 20;

/**
 * `all.json`: the same documents under the names of their components. Where they are too much for one file, `all.json`
 * lists its parts, `all/1.json` and so on, each of the form that `all.json` has otherwise. `documents` is gone through
 * once, and no more than a part of it is held.
 */
export function* renderAllFiles(
  documents: Iterable<readonly [name: string, document: Uint8Array]>,
  limit = maxPartLength,
): Generator<SiteFile> {
  const parts: string[] = [];
  let entries: [name: string, document: Uint8Array][] = [];
  let length = 0;
  for (const [name, document] of documents) {
    if (length > 0 && length + document.length > limit) {
      yield { path: nextPart(parts), body: renderAllFile(entries) };
      [entries, length] = [[], 0];
    }
    entries.push([name, document]);
    length += document.length;
  }
  if (parts.length === 0) yield { path: 'all.json', body: renderAllFile(entries) };
  else {
    yield { path: nextPart(parts), body: renderAllFile(entries) };
    yield { path: 'all.json', body: `${JSON.stringify({ components: {}, parts })}\n` };
  }
}

function nextPart(parts: string[]): string {
  parts.push(`all/${parts.length + 1}.json`);
  return parts.at(-1)!;
}

const lineEnd = 1;

function* renderAllFile(
  entries: readonly (readonly [name: string, document: Uint8Array])[],
): Generator<string | Uint8Array> {
  let before = '{"components": {';
  for (const [name, document] of entries) {
    yield `${before}\n${quote(name)}: `;
    yield document.subarray(0, -lineEnd);
    before = ',';
  }
  yield entries.length === 0 ? `${before}}}\n` : '\n}}\n';
}

export function renderIndexFile(names: readonly string[]): string {
  return `${JSON.stringify(names)}\n`;
}
