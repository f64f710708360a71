import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type { Component } from '../../decide/component.ts';
import type { JudgedRelease } from '../../decide/judge.ts';

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

/** `details/<component>.json`: the same releases with everything known about them, and why. */
export function renderDetailsFile({ lines, releases, ...head }: DetailsFile): string {
  const opening = JSON.stringify(head, undefined, 2).slice(0, -'\n}'.length);
  return `${opening},\n  "lines": ${arrayByLine(lines)},\n  "releases": ${arrayByLine(releases)}\n}\n`;
}

/** An array inside a document, with an element on each line, so that a diff of two days shows single releases. */
function arrayByLine<Item>(
  items: readonly Item[],
  render: (item: Item) => string = (item) => JSON.stringify(item),
): string {
  if (items.length === 0) return '[]';
  return `[\n${items.map((item) => `    ${render(item)}`).join(',\n')}\n  ]`;
}
