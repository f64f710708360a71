import { isDeepStrictEqual } from 'node:util';
import { pickDefined } from '../../core/model/objects.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import { RecordedRelease, type RecordedData } from '../../core/schemas/recorded/recorded.ts';

const keys = Object.keys(RecordedRelease.shape) as (keyof RecordedRelease)[];

/** Whether two files record the same. A file written by hand may list its versions in any order, except for those of equal rank. */
export function isSameData(a: RecordedData, b: RecordedData): boolean {
  return isDeepStrictEqual(arrangeData(a), arrangeData(b));
}

/** The data in the form in which it is recorded. */
export function arrangeData(data: RecordedData): RecordedData {
  return { ...data, releases: arrangeReleases(data.releases) };
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
