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
