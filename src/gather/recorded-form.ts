import type { RecordedRelease } from '../model/recorded.ts';
import { compareVersions, parseVersion } from '../version.ts';

/** Oldest first, and what has no place in the order last; one order of keys, so that a diff shows only news. */
export function inRecordedForm(entries: readonly RecordedRelease[]): RecordedRelease[] {
  const ranked = entries.map((entry) => ({ entry: inKeyOrder(entry), version: parseVersion(entry.version) }));
  ranked.sort((a, b) =>
    a.version && b.version ? compareVersions(a.version, b.version) : Number(!a.version) - Number(!b.version),
  );
  return ranked.map(({ entry }) => entry);
}

function inKeyOrder(entry: RecordedRelease): RecordedRelease {
  const { version, releaseTimestamp, timestampKind, changelogUrl, source, alsoListedBy, firstSeen, ...rest } =
    entry;
  const { deprecated, withdrawnSince, isPrerelease, corrections } = rest;
  const ordered = {
    version,
    releaseTimestamp,
    timestampKind,
    changelogUrl,
    source,
    alsoListedBy,
    firstSeen,
    deprecated,
    withdrawnSince,
    isPrerelease,
    corrections,
  };
  return Object.fromEntries(
    Object.entries(ordered).filter(([, value]) => value !== undefined),
  ) as RecordedRelease;
}
