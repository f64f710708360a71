import { toTimestamp, type Day, type Timestamp } from '../../../core/model/dates.ts';
import type {
  DetailsFile,
  PublishedLine,
  PublishedRelease,
} from '../../../core/schemas/published/details-file.ts';
import type { Component } from '../../../decide/component.ts';
import type { JudgedRelease } from '../../../decide/judge.ts';
import { dropUndefined, pick, pickDefined } from '../../../core/model/objects.ts';
import {
  searchedKeys,
  type SearchedComponent,
  type SearchedLine,
} from '../../../core/schemas/published/release-documents.ts';

/**
 * `<component>.json` in the response format of Renovate's custom datasource (renovatebot/renovate,
 * lib/modules/datasource/custom/readme.md). No `null` and no other keys: one bad field makes Renovate drop the component.
 * Oldest first, because mise and updatecli take the last entry as the latest.
 */
export function renderReleaseFile({ definition, judgement }: Component): string {
  const { homepage, changelogUrl, sourceRepository } = definition;
  const { latest, releases, day } = judgement;
  const members = [
    `"homepage": ${JSON.stringify(homepage)}`,
    `"changelogUrl": ${JSON.stringify(changelogUrl)}`,
  ];
  if (sourceRepository !== undefined) {
    members.push(`"sourceUrl": ${JSON.stringify(sourceRepository)}`);
  }
  if (latest) {
    members.push(`"tags": { "latest": ${JSON.stringify(latest.version)} }`);
  }
  members.push(`"releases": ${renderByLine(releases.map((each) => describeRelease(each, day)))}`);

  return `{\n  ${members.join(',\n  ')}\n}\n`;
}

function describeRelease(release: JudgedRelease, day: Day): object {
  const { version, changelogUrl, isDeprecated, isPrerelease } = release;
  return {
    version,
    releaseTimestamp: findWaitingStart(release, day),
    changelogUrl,
    isDeprecated,
    // Renovate's `loose` calls every version stable; only the release itself can say otherwise.
    isStable: isPrerelease ? false : undefined,
  };
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
  let text = JSON.stringify(head, undefined, 2).replace(/\n\}$/, '');
  for (const [key, items] of Object.entries({ lines, ends, releases })) {
    if (items) {
      text += `,\n  "${key}": ${renderByLine(items)}`;
    }
  }

  return `${text}\n}\n`;
}

/** An array with one element per line: a diff of two days shows single releases. */
function renderByLine(items: readonly object[]): string {
  if (items.length === 0) {
    return '[]';
  }

  return `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
}

type SearchedRelease = SearchedLine['releases'][number];

/** The entry of a component in `search.json`, with one line per release: a diff shows single releases. */
export function renderSearchedComponent(details: DetailsFile): string {
  const { lines, ...component } = compactDetails(details);
  return `${renderWithList(component, 'lines', lines.map(renderLine))}\n`;
}

function renderLine({ releases, ...line }: SearchedLine): string {
  const rows = releases.map((release) => `\n${JSON.stringify(release)}`);
  return `\n${renderWithList(line, 'releases', rows)}`;
}

/** An object as JSON, with a last member that is a list of JSON texts. */
function renderWithList(object: object, key: string, items: readonly string[]): string {
  return `${JSON.stringify(object).slice(0, -1)},"${key}":[${items.join(',')}]}`;
}

/** The facts that queries need, from the `details/` document of a component. */
export function compactDetails(details: DetailsFile): SearchedComponent {
  const byLine = Map.groupBy(details.releases, ({ line }) => line);
  return {
    ...pickDefined({ ...details, policy: details.support.policy }, searchedKeys.component),
    lines: details.lines.map((line) => compactLine(line, byLine.get(line.line) ?? [])),
  };
}

/** A line with the values that all of its releases share, and its releases with the others. */
function compactLine(line: PublishedLine, releases: readonly PublishedRelease[]): SearchedLine {
  const sharedKeys = searchedKeys.release.filter((key) => isShared(key, releases));
  const ownKeys = searchedKeys.release.filter((key) => !sharedKeys.includes(key));
  const shared = compactRelease(releases[0] ?? {}, sharedKeys);

  return dropUndefined({
    ...pick(line, searchedKeys.line),
    shared: Object.keys(shared).length > 0 ? shared : undefined,
    releases: releases.map((release) => compactRelease(release, ownKeys)),
  });
}

function isShared(key: keyof SearchedRelease, releases: readonly PublishedRelease[]): boolean {
  const values = new Set(releases.map((release) => JSON.stringify(release[key])));
  return releases.length > 1 && values.size === 1;
}

function compactRelease(
  release: Partial<PublishedRelease>,
  keys: readonly (keyof SearchedRelease)[],
): SearchedRelease {
  const compact: SearchedRelease = pickDefined(release, keys);
  if (compact.releaseTimestamp !== undefined) {
    // A day stands for its first instant.
    compact.releaseTimestamp = compact.releaseTimestamp.replace('T00:00:00Z', '');
  }

  return compact;
}
