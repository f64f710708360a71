import { toTimestamp, type Day, type Timestamp } from '../../../core/model/dates.ts';
import { dropUndefined, pick, pickDefined } from '../../../core/model/objects.ts';
import type {
  DetailsFile,
  PublishedLine,
  PublishedRelease,
} from '../../../core/schemas/published/details-file.ts';
import {
  searchedKeys,
  type SearchedComponent,
  type SearchedLine,
} from '../../../core/schemas/published/release-documents.ts';
import type { Component } from '../../../decide/component.ts';
import type { JudgedRelease } from '../../../decide/judge.ts';

/**
 * `<component>.json` in the response format of Renovate's custom datasource (renovatebot/renovate,
 * lib/modules/datasource/custom/readme.md). No `null` and no other keys: one bad field makes Renovate drop the component.
 * Oldest first, because mise and updatecli take the last entry as the latest.
 */
export function renderReleaseFile({ definition, judgement }: Component): string {
  const { homepage, changelogUrl, sourceRepository } = definition;
  const members = [
    `"homepage": ${JSON.stringify(homepage)}`,
    `"changelogUrl": ${JSON.stringify(changelogUrl)}`,
    ...(sourceRepository === undefined ? [] : [`"sourceUrl": ${JSON.stringify(sourceRepository)}`]),
    ...(judgement.latest
      ? [`"tags": { "latest": ${JSON.stringify(judgement.latest.version)} }`]
      : []),
    `"releases": ${formatArrayByLine(judgement.releases, (release) => renderRelease(release, judgement.day))}`,
  ];
  return `{\n  ${members.join(',\n  ')}\n}\n`;
}

function renderRelease(release: JudgedRelease, day: Day): string {
  const { version, changelogUrl, isDeprecated, isPrerelease } = release;
  const releaseTimestamp = findWaitingStart(release, day);
  const timestamp =
    releaseTimestamp === undefined ? '' : `"releaseTimestamp":"${releaseTimestamp}",`;
  const link = changelogUrl === undefined ? '' : `"changelogUrl":${JSON.stringify(changelogUrl)},`;

  // Renovate's `loose` calls every version stable; only the release itself can say otherwise.
  const stability = isPrerelease ? ',"isStable":false' : '';

  // A version has no characters to escape.
  return `{"version":"${version}",${timestamp}${link}"isDeprecated":${isDeprecated}${stability}}`;
}

/**
 * The start of a minimum release age. A backdated release does not shorten it: the age starts no earlier than the last answer
 * of the source that lacked the release.
 */
function findWaitingStart(
  { releaseTimestamp, recorded }: JudgedRelease,
  day: Day,
): Timestamp | undefined {
  const { notListedOn } = recorded;
  if (releaseTimestamp === undefined || notListedOn === undefined) {
    return releaseTimestamp;
  }

  const earliest = toTimestamp(notListedOn < day ? notListedOn : day);
  return releaseTimestamp < earliest ? earliest : releaseTimestamp;
}

/** `details/<component>.json`: the same releases with all known fields and the reasons. */
export function renderDetailsFile({ lines, ends, releases, ...head }: DetailsFile): string {
  const lists = Object.entries({ lines, ends, releases })
    .filter(([, items]) => items !== undefined)
    .map(([key, items]) => `,\n  "${key}": ${formatArrayByLine<unknown>(items!)}`);
  return `${JSON.stringify(head, undefined, 2).slice(0, -'\n}'.length)}${lists.join('')}\n}\n`;
}

/** An array with one element per line: a diff of two days shows single releases. */
function formatArrayByLine<Item>(
  items: readonly Item[],
  render: (item: Item) => string = (item) => JSON.stringify(item),
): string {
  if (items.length === 0) {
    return '[]';
  }

  return `[\n${items.map(render).join(',\n')}\n]`;
}

/** The entry of a component in `search.json`, with one line per release: a diff shows single releases. */
export function renderSearchedComponent({ lines, ...component }: SearchedComponent): string {
  const fields = JSON.stringify(component).slice(0, -1);
  return `${fields},"lines":[${lines.map(renderLine).join(',')}]}\n`;
}

function renderLine({ releases, ...line }: SearchedComponent['lines'][number]): string {
  const rows = releases.map((release) => `\n${JSON.stringify(release)}`);
  return `\n${JSON.stringify(line).slice(0, -1)},"releases":[${rows.join(',')}]}`;
}

type SearchedRelease = SearchedLine['releases'][number];

/** The facts that queries need, from the `details/` document of a component. */
export function compactDetails(details: DetailsFile): SearchedComponent {
  const byLine = Map.groupBy(details.releases, ({ line }) => line);
  return {
    ...pickDefined({ ...details, policy: details.support.policy }, searchedKeys.component),
    lines: details.lines.map((line) => compactLine(line, byLine.get(line.line) ?? [])),
  };
}

function compactLine(line: PublishedLine, releases: readonly PublishedRelease[]): SearchedLine {
  const [first, ...others] = releases;
  const isShared = (key: keyof SearchedRelease) =>
    others.length > 0 && others.every((other) => isEqual(other[key], first![key]));
  const sharedKeys = searchedKeys.release.filter(isShared);
  const ownKeys = searchedKeys.release.filter((key) => !sharedKeys.includes(key));
  const facts = compactRelease(first, sharedKeys);
  return dropUndefined({
    ...pick(line, searchedKeys.line),
    shared: Object.keys(facts).length > 0 ? facts : undefined,
    releases: releases.map((release) => compactRelease(release, ownKeys)),
  });
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

function compactRelease(
  release: Partial<PublishedRelease> = {},
  keys: readonly (keyof SearchedRelease)[],
): SearchedRelease {
  const compact: SearchedRelease = pickDefined(release, keys);
  if (compact.releaseTimestamp !== undefined) {
    compact.releaseTimestamp = compact.releaseTimestamp.replace('T00:00:00Z', '');
  }

  return compact;
}
