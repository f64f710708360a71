import { addDays, type Day } from '../../../core/model/dates.ts';
import { contradiction } from '../../../core/model/digest.ts';
import type { RecordedData } from '../../../core/schemas/recorded/recorded.ts';

/** A stated digest that differs from the recorded ones. */
export interface ChangedDigest {
  readonly version: string;
  readonly artifact: string;
  /** Undefined if the digest was added. */
  readonly recorded?: string;
  /** Undefined if the digest is gone. */
  readonly digest?: string;
}

/** Registries accept further files of a release for some days; later, its bytes are settled. */
export const settledAfterDays = 30;

/** The other digests of recorded releases, and those that were added to a settled one. */
export function changedDigests(
  before: RecordedData,
  after: RecordedData,
  day: Day,
): ChangedDigest[] {
  const present = new Map(after.releases.map((release) => [release.version, release]));
  const changed: ChangedDigest[] = [];

  for (const release of before.releases) {
    const { version, firstSeen = day, digests = {} } = release;
    const isSettled = firstSeen < addDays(day, -settledAfterDays);
    const now = present.get(version) ?? release;

    for (const [source, artifacts] of Object.entries(digests)) {
      const digestsNow = now.digests?.[source] ?? {};

      for (const artifact of Object.keys({ ...artifacts, ...digestsNow })) {
        const other = otherDigest(artifacts[artifact], digestsNow[artifact]);
        if (other && (isSettled || other.recorded !== undefined)) {
          changed.push({ version, artifact, ...other });
        }
      }
    }
  }

  return changed;
}

/** Texts with digests of one artifact; empty without one. */
function otherDigest(
  before = '',
  after = '',
): Pick<ChangedDigest, 'recorded' | 'digest'> | undefined {
  const other = contradiction(before, after);
  if (other) {
    return { recorded: other[0], digest: other[1] };
  }

  const gone = firstNotIn(after, before);
  if (gone !== undefined) {
    return { recorded: gone };
  }

  const added = firstNotIn(before, after);

  return added === undefined ? undefined : { digest: added };
}

function firstNotIn(digests: string, others: string): string | undefined {
  const listedDigests = digests.split(' ');
  return others.split(' ').find((digest) => digest !== '' && !listedDigests.includes(digest));
}
