import type { Correction, RecordedRelease } from '../core/schemas/recorded.ts';

/** What a person calls a recorded value. */
export const fieldNames: Readonly<Record<Correction['field'], string>> = {
  releaseTimestamp: 'release day',
  timestampKind: 'kind of the release day',
  changelogUrl: 'changelog link',
  deprecated: 'deprecation upstream',
  withdrawnSince: 'day of withdrawal',
  leftOutSince: 'day of leaving out',
  isPrerelease: 'prerelease flag',
  source: 'source',
  digests: 'digests',
};

/**
 * The corrections of a release with the value that each led to. A person who edits a value need not state the new one: it is
 * what the next correction found, or what stands now. Only of values that are never taken away again.
 */
export function completeCorrections(entry: RecordedRelease): Correction[] {
  const { corrections = [] } = entry;
  return corrections.map((correction, index) => {
    const { on, field, from, reason } = correction;
    if (correction.to !== undefined || !isKept(field)) return correction;
    const next = corrections.slice(index + 1).find((later) => later.field === field);
    const to = next ? next.from : entry[field];
    return { on, field, ...(from !== undefined && { from }), ...(to !== undefined && { to }), reason };
  });
}

function isKept(field: Correction['field']): field is 'releaseTimestamp' | 'timestampKind' | 'changelogUrl' {
  return field === 'releaseTimestamp' || field === 'timestampKind' || field === 'changelogUrl';
}
