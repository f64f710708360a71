/** What sources find out about versions. */
import parseSemver from 'semver/functions/parse.js';
import {
  compareVersions,
  findNewest,
  isPrereleaseForm,
  parseVersion,
  rank,
  rankKey,
  readVersion,
  type Version,
} from '../core/version.ts';
import type { Tag } from './types.ts';

/** Whether SemVer calls a version a prerelease where its form does not say so: each one with a hyphen. Undefined where both agree. */
export function readSemverPrerelease(version: string): boolean | undefined {
  const parsed = parseSemver(version);
  const own = parseVersion(version);
  if (!parsed || !own) {
    return undefined;
  }

  const isPrerelease = parsed.prerelease.length > 0;
  return isPrerelease === isPrereleaseForm(own) ? undefined : isPrerelease;
}

/** The greatest stable version of a list of names, else the greatest prerelease. */
export function findLatestVersion(names: readonly unknown[]): string | undefined {
  const versions = names.flatMap((name) =>
    typeof name === 'string' ? (parseVersion(name) ?? []) : [],
  );
  const sorted = versions.sort(compareVersions);
  return findNewest(
    sorted.map((version) => ({ text: version.text, isPrerelease: isPrereleaseForm(version) })),
  )?.text;
}

/**
 * The tags of a container that are releases. One that points to a longer version, as `1.25` to `1.25.4`, is none. A recorded one stays,
 * without its digest: other bytes would be reported of it with each new version.
 */
export function leaveOutMovingTags<T extends Tag>(
  tags: readonly T[],
  recorded: readonly Tag[],
): T[] {
  const recordedRanks = new Set(recorded.map(({ version }) => rank(version)));
  // What is shorter than a tag is looked up: of thousands, each cannot be compared with all.
  const listed = new Set(tags.flatMap(listShorter));
  const moving = new Set([...tags, ...recorded].flatMap(listShorterImages));
  const earliest = new Map(
    recorded
      .toSorted((a, b) => (getDay(a) > getDay(b) ? -1 : 1))
      .flatMap((tag) => listShorter(tag).map((name) => [name, getDay(tag)] as const)),
  );

  return tags.flatMap((tag) => {
    const { digests = [], releaseTimestamp: day = '' } = tag;
    const version = readVersion(tag.version);
    const name = nameTag(version);
    const isMoving = digests.some((digest) => moving.has(`${digest} ${name}`));
    if (recordedRanks.has(rankKey(version))) {
      return isMoving ? { ...tag, digests: undefined } : tag;
    }

    // It may have moved to a version that is not listed yet. One that could not be read is asked for again by the next run.
    const isLater = (earliest.get(name) ?? day) < day;
    const isUnknown = digests.length === 0 && day === '' && listed.has(name);
    return isMoving || isLater || isUnknown ? [] : tag;
  });
}

const getDay = ({ releaseTimestamp = '~' }: Tag) => releaseTimestamp;

function nameTag({ groups, suffix }: Pick<Version, 'groups' | 'suffix'>): string {
  return `${groups.join('.')}${suffix}`;
}

/** `1-alpine` and `1.25-alpine` for `1.25.4-alpine`. */
function listShorter({ version }: Tag): string[] {
  const { groups, suffix } = readVersion(version);
  return groups.slice(1).map((_, index) => nameTag({ groups: groups.slice(0, index + 1), suffix }));
}

function listShorterImages(tag: Tag): string[] {
  const { digests = [] } = tag;
  return listShorter(tag).flatMap((name) => digests.map((digest) => `${digest} ${name}`));
}
