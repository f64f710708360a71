import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../core/model/dates.ts';
import { pickDefined } from '../../core/model/objects.ts';
import {
  compareVersions,
  parseVersion,
  rankKey,
  sortVersions,
  type Version,
} from '../../core/model/version.ts';
import {
  listSourcesListing,
  RecordedRelease,
  type RecordedData,
} from '../../core/schemas/recorded/recorded.ts';
import { sha256 } from '../../io/files/file-system.ts';

/** Equal for all spellings of a version; undefined for a version without a place in the order. */
export function computeRank({ version }: Pick<RecordedRelease, 'version'>): string | undefined {
  const parsed = parseVersion(version);
  return parsed && rankKey(parsed);
}

/** Recorded releases by `computeRank`; for several spellings of a version, the first recorded. */
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

/** A digest over the versions that a source had listed by a day, and over `moreVersions`, whatever their order and spelling. */
export function digestListed(
  recorded: readonly RecordedRelease[],
  id: string,
  day: Day,
  moreVersions: readonly string[] = [],
): string {
  const listed = recorded.filter(
    (entry) => listSourcesListing(entry).includes(id) && (entry.firstSeen ?? '') <= day,
  );
  const ranks = new Set<string>();

  for (const release of [...listed, ...moreVersions.map((version) => ({ version }))]) {
    const rank = computeRank(release);
    if (rank !== undefined) {
      ranks.add(rank);
    }
  }

  return sha256([...ranks].sort().join('\n'));
}

/** The recorded versions that a source lists and that are not withdrawn, oldest first. */
export function listSourceVersions(recorded: readonly RecordedRelease[], id: string): Version[] {
  return sortVersions(
    recorded.filter(
      (entry) => entry.withdrawnSince === undefined && listSourcesListing(entry).includes(id),
    ),
  );
}

export function addListingSource(entry: RecordedRelease, id: string): void {
  if (entry.source === undefined) {
    entry.source = id;
  } else if (entry.source !== id && !entry.alsoListedBy?.includes(id)) {
    entry.alsoListedBy = [...(entry.alsoListedBy ?? []), id].sort();
  }
}

const keys = Object.keys(RecordedRelease.shape) as (keyof RecordedRelease)[];

/** Whether two files record the same. The order of releases in a file written by hand does not matter. */
export function isSameData(a: RecordedData, b: RecordedData): boolean {
  return isDeepStrictEqual(orderReleases(a), orderReleases(b));
}

/** The data with its releases in their recorded form. */
export function orderReleases(data: RecordedData): RecordedData {
  return { ...data, releases: toRecordedForm(data.releases) };
}

/** Oldest first; versions without a place in the order last. Keys have a fixed order: a diff shows only changes. */
export function toRecordedForm(entries: readonly RecordedRelease[]): RecordedRelease[] {
  const ranked = entries.map((entry) => ({ entry, version: parseVersion(entry.version) }));
  ranked.sort((a, b) =>
    a.version && b.version
      ? compareVersions(a.version, b.version)
      : Number(!a.version) - Number(!b.version),
  );
  return ranked.map(({ entry }) => pickDefined(entry, keys) as RecordedRelease);
}
