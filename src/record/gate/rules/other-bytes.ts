import { addDays, type Day } from '../../../core/model/dates.ts';
import { findContradiction } from '../../../core/model/digest.ts';
import type { RecordedData, RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';

/** A stated digest that differs from the recorded ones. */
export interface ChangedDigest {
  readonly version: string;
  readonly source: string;
  readonly artifact: string;
  /** Undefined if the digest was added. */
  readonly recorded?: string;
  /** Undefined if the digest is gone. */
  readonly digest?: string;
}

/** Registries accept further files of a release for some days; later, its bytes are settled. */
export const settledAfterDays = 30;

/**
 * Digests that contradict the recorded ones of a release, and digests added to a settled release. Bytes that are recorded under
 * another name do not contradict: upstream may rename its artifacts.
 */
export function findChangedDigests(
  before: RecordedData,
  after: RecordedData,
  day: Day,
): ChangedDigest[] {
  const present = new Map(after.releases.map((release) => [release.version, release]));
  const changed: ChangedDigest[] = [];

  for (const release of before.releases) {
    const { version, firstSeen = day, digests = {} } = release;
    const isSettled = firstSeen < addDays(day, -settledAfterDays);
    const current = present.get(version) ?? release;
    const recorded = listRecordedDigests(release);

    for (const [source, artifacts] of Object.entries(digests)) {
      const digestsNow = current.digests?.[source] ?? {};
      for (const artifact of Object.keys({ ...artifacts, ...digestsNow })) {
        const change = findOtherDigest(artifacts[artifact], digestsNow[artifact], recorded);
        if (change && (isSettled || change.recorded !== undefined)) {
          changed.push({ version, source, artifact, ...change });
        }
      }
    }
  }

  return changed;
}

/** All digests of a release, under any name. */
export function listRecordedDigests({ digests = {} }: RecordedRelease): ReadonlySet<string> {
  const texts = Object.values(digests).flatMap((artifacts) => Object.values(artifacts));
  return new Set(texts.flatMap((text) => text.split(' ')));
}

/** Compares the digests of one artifact, each in a text; an empty text has none. */
function findOtherDigest(
  before = '',
  after = '',
  recorded: ReadonlySet<string>,
): Pick<ChangedDigest, 'recorded' | 'digest'> | undefined {
  const newDigests = after.split(' ').filter((digest) => digest !== '' && !recorded.has(digest));
  const conflict = findContradiction(before, newDigests.join(' '));
  if (conflict) {
    return { recorded: conflict[0], digest: conflict[1] };
  }

  const present = after.split(' ');
  const removed = before.split(' ').find((digest) => digest !== '' && !present.includes(digest));
  if (removed !== undefined) {
    return { recorded: removed };
  }

  return newDigests.length === 0 ? undefined : { digest: newDigests[0]! };
}
