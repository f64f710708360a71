import type { Day } from '../../core/model/dates.ts';
import { dropUndefined, pickDefined } from '../../core/model/objects.ts';
import {
  compareVersions,
  parseVersion,
  rankKey,
  sortVersions,
  type Version,
} from '../../core/model/version.ts';
import {
  isListedBy,
  RecordedRelease,
  type RecordedData,
} from '../../core/schemas/recorded/recorded.ts';
import { sha256 } from '../../io/files/file-system.ts';

/** Equal for all spellings of a version; undefined for a version without a place in the order. */
export function computeRank({ version }: Pick<RecordedRelease, 'version'>): string | undefined {
  const parsed = parseVersion(version);
  return parsed && rankKey(parsed);
}

/** Recorded releases by rank; of several spellings of a version, the first recorded. A version without a rank is not in the map. */
export function indexByRank(
  recorded: readonly RecordedRelease[],
): Map<string | undefined, RecordedRelease> {
  const byRank = new Map<string | undefined, RecordedRelease>();
  for (const entry of recorded) {
    const rank = computeRank(entry);
    if (rank !== undefined && !byRank.has(rank)) {
      byRank.set(rank, entry);
    }
  }
  return byRank;
}

/**
 * A digest of ranks: those of `otherRanks`, and of the recorded versions of a source that were first seen by a day, in whatever source
 * they were seen.
 */
export function digestListed(
  recorded: readonly RecordedRelease[],
  id: string,
  day: Day,
  otherRanks: Iterable<string | undefined> = [],
): string {
  const ranks = new Set(otherRanks);
  for (const entry of recorded) {
    const { firstSeen = day } = entry;
    if (firstSeen <= day && isListedBy(entry, id)) {
      ranks.add(computeRank(entry));
    }
  }

  ranks.delete(undefined);
  return sha256([...ranks].sort().join('\n'));
}

/** The recorded versions that a source lists and that are not withdrawn, oldest first. */
export function listSourceVersions(recorded: readonly RecordedRelease[], id: string): Version[] {
  return sortVersions(
    recorded.filter((entry) => entry.withdrawnSince === undefined && isListedBy(entry, id)),
  );
}

const keys = Object.keys(RecordedRelease.shape) as (keyof RecordedRelease)[];

/** The data in the form in which it is recorded, without other keys of the object. */
export function arrangeData({ releases, advisories, lines }: RecordedData): RecordedData {
  return dropUndefined({ releases: arrangeReleases(releases), advisories, lines });
}

/** The releases, oldest first; versions without a place in the order last. Keys have a fixed order: a diff shows only changes. */
export function arrangeReleases(entries: readonly RecordedRelease[]): RecordedRelease[] {
  const ranked = entries.map((entry) => ({ entry, version: parseVersion(entry.version) }));
  ranked.sort((a, b) =>
    a.version && b.version
      ? compareVersions(a.version, b.version)
      : Number(!a.version) - Number(!b.version),
  );
  return ranked.map(({ entry }) => pickDefined(entry, keys) as RecordedRelease);
}
