import { toTimestamp, type Day, type Timestamp } from '../../../core/model/dates.ts';
import type { DetailsFile } from '../../../core/schemas/published/details-file.ts';
import type { Component } from '../../../decide/component.ts';
import type { JudgedRelease } from '../../../decide/judge.ts';

/**
 * `<component>.json` in the response format of Renovate's custom datasource (renovatebot/renovate,
 * lib/modules/datasource/custom/readme.md). No `null` and no other keys: one bad field makes Renovate drop the component.
 * Oldest first, because mise and updatecli take the last entry as the latest.
 */
export function renderReleaseFile({ definition, judgement }: Component): string {
  const { homepage, changelogUrl, sourceRepository } = definition;
  const { latest, releases, day } = judgement;
  return renderMembers({
    homepage: JSON.stringify(homepage),
    changelogUrl: JSON.stringify(changelogUrl),
    sourceUrl: JSON.stringify(sourceRepository),
    tags: latest && `{ "latest": ${JSON.stringify(latest.version)} }`,
    releases: renderByLine(releases.map((release) => describeRelease(release, day))),
  });
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

  // Never later than today: the file is also made for a day before that answer.
  const lowerBound = toTimestamp(notListedOn < day ? notListedOn : day);
  return releaseTimestamp < lowerBound ? lowerBound : releaseTimestamp;
}

/** `details/<component>.json`: the same releases with all fields of `DetailsFile`. Fields of undefined are absent already. */
export function renderDetailsFile({ lines, ends, releases, ...head }: DetailsFile): string {
  const members: Record<string, string | undefined> = {};
  for (const [key, value] of Object.entries(head)) {
    members[key] = JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ');
  }
  return renderMembers({
    ...members,
    lines: renderByLine(lines),
    ends: ends && renderByLine(ends),
    releases: renderByLine(releases),
  });
}

/** A document from JSON texts by their keys. Members without a text are absent. */
function renderMembers(members: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(members).filter(([, text]) => text !== undefined);
  return `{\n  ${present.map(([key, text]) => `"${key}": ${text}`).join(',\n  ')}\n}\n`;
}

/** An array with one element per line: a diff of two days shows single releases. */
function renderByLine(items: readonly object[]): string {
  if (items.length === 0) {
    return '[]';
  }

  return `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
}
