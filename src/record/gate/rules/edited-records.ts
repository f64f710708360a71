import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../../core/model/dates.ts';
import type { RecordedData, RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';
import { findChangedDigests } from './other-bytes.ts';

/** The recorded data of a component before and after an edit. */
export interface EditedData {
  before: RecordedData;
  after: RecordedData;
}

/** Recorded data only grows. Lists, in words, what an edit removes or replaces without the mark `corrected`. */
export function listEditedRecords({ before, after }: EditedData, day: Day): string[] {
  const present = new Map(after.releases.map((release) => [release.version, release]));
  const items = listLostDays(before, present);

  for (const change of findChangedDigests(before, after, day)) {
    const { version, artifact, recorded, digest } = change;
    const release = present.get(version);
    if (recorded !== undefined && release && !release.corrected) {
      items.push(`${version} ${artifact} ${digest ?? 'without a digest'}`);
    }
  }

  return items;
}

/** Releases that are gone or have another day. A published day may replace an observed one, as in a run. */
function listLostDays(
  { releases }: RecordedData,
  present: ReadonlyMap<string, RecordedRelease>,
): string[] {
  const items: string[] = [];

  for (const { version, releaseTimestamp, timestampKind, corrected } of releases) {
    const release = present.get(version);
    if (!release) {
      items.push(`${version} no longer recorded`);
      continue;
    }

    const isOtherDay =
      releaseTimestamp !== undefined && release.releaseTimestamp !== releaseTimestamp;
    const isCorrected = !isDeepStrictEqual(release.corrected, corrected);
    const isNowPublished = timestampKind === 'observed' && release.timestampKind === 'published';
    if (isOtherDay && !isCorrected && !isNowPublished) {
      items.push(
        `${version} dated ${release.releaseTimestamp ?? 'nowhere'}, not ${releaseTimestamp}`,
      );
    }
  }

  return items;
}
