/** What sources find out about versions. */
import parseSemver from 'semver/functions/parse.js';
import {
  compareVersions,
  isPrereleaseForm,
  parseVersion,
  rankKey,
  readVersion,
} from '../core/version.ts';

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
  return (sorted.findLast((version) => !isPrereleaseForm(version)) ?? sorted.at(-1))?.text;
}

interface Tag {
  version: string;
  digests?: string[] | undefined;
  releaseTimestamp?: string | undefined;
}

/**
 * The tags of a container that are releases. One that points to a longer version, as `1.25` to `1.25.4`, is none. A recorded one stays,
 * without its digest: other bytes would be reported of it with each new version.
 */
export function leaveOutMovingTags<T extends Tag>(
  tags: readonly T[],
  recorded: readonly Tag[],
): T[] {
  const recordedRanks = new Set(recorded.map(({ version }) => rankKey(readVersion(version))));
  const images = [...tags, ...recorded].flatMap((target) =>
    (target.digests ?? []).map((digest) => ({ digest, target })),
  );
  const byDigest = Map.groupBy(images, ({ digest }) => digest);

  return tags.flatMap((tag) => {
    const { version, digests = [], releaseTimestamp: day = '' } = tag;
    const isLonger = createLongerTest(version);
    const sameBytes = digests.flatMap((digest) => byDigest.get(digest) ?? []);
    const isMoving = sameBytes.some(({ target }) => isLonger(target));
    if (recordedRanks.has(rankKey(readVersion(version)))) {
      return isMoving ? { ...tag, digests: undefined } : tag;
    }

    // It may have moved to a version that is not listed yet. One that could not be read is asked for again by the next run.
    const isLater = recorded.some(
      (former) => isLonger(former) && (former.releaseTimestamp ?? day) < day,
    );
    const isUnknown = digests.length === 0 && day === '' && tags.some(isLonger);
    return isMoving || isLater || isUnknown ? [] : tag;
  });
}

/** Tests whether a tag such as `1.25.4-alpine` is longer than `1-alpine` or `1.25-alpine`. */
function createLongerTest(version: string): (tag: Tag) => boolean {
  const { groups, suffix } = readVersion(version);
  return (tag) => {
    const longer = readVersion(tag.version);
    const begins = groups.every((group, index) => group === longer.groups[index]);
    return begins && longer.groups.length > groups.length && longer.suffix === suffix;
  };
}
