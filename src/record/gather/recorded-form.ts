import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { defined } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';

/** Oldest first, with what has no place in the order last. The order of keys is fixed, so that a diff shows only news. */
export function inRecordedForm(entries: readonly RecordedRelease[]): RecordedRelease[] {
  const ranked = entries.map((entry) => ({ entry: inKeyOrder(entry), version: parseVersion(entry.version) }));
  ranked.sort((a, b) =>
    a.version && b.version ? compareVersions(a.version, b.version) : Number(!a.version) - Number(!b.version),
  );
  return ranked.map(({ entry }) => entry);
}

function inKeyOrder(entry: RecordedRelease): RecordedRelease {
  return defined({
    version: entry.version,
    releaseTimestamp: entry.releaseTimestamp,
    timestampKind: entry.timestampKind,
    changelogUrl: entry.changelogUrl,
    source: entry.source,
    alsoListedBy: entry.alsoListedBy,
    firstSeen: entry.firstSeen,
    notListedOn: entry.notListedOn,
    deprecated: entry.deprecated,
    withdrawnSince: entry.withdrawnSince,
    leftOutSince: entry.leftOutSince,
    isPrerelease: entry.isPrerelease,
    digests: entry.digests,
    dissent: entry.dissent,
    corrections: entry.corrections,
  });
}
