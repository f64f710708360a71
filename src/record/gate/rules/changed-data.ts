import { isDeepStrictEqual } from 'node:util';
import { addDays, type Day } from '../../../core/model/dates.ts';
import { findContradiction } from '../../../core/model/digest.ts';
import type {
  ArtifactDigests,
  RecordedData,
  RecordedRelease,
} from '../../../core/schemas/recorded/recorded.ts';

/** A recorded release, line or advisory. */
interface Item {
  version?: string;
  line?: string;
  id?: string;
  source?: string | undefined;
}

/** The sources whose data differs. `file` stands for data without a source. */
export function findChangedSources(
  before: RecordedData,
  after: RecordedData,
  file: string,
): string[] {
  const changed: Item[] = [
    ...listChanged(before.releases, after.releases),
    ...listChanged(before.lines, after.lines),
    ...listChanged(before.advisories, after.advisories),
  ];
  return [...new Set(changed.map(({ source }) => source ?? file))].sort();
}

/** The releases that are new, in the order of the data. */
export function findAddedReleases(before: RecordedData, after: RecordedData): RecordedRelease[] {
  const recorded = new Set(before.releases.map(({ version }) => version));
  return after.releases.filter(({ version }) => !recorded.has(version));
}

/** The items that differ, as they are now; those that are gone, as they were. */
function listChanged(before: readonly Item[] = [], after: readonly Item[] = []): Item[] {
  const formerItems = new Map(before.map((item) => [createKey(item), item]));
  const changed: Item[] = [];
  for (const item of after) {
    if (!isDeepStrictEqual(formerItems.get(createKey(item)), item)) {
      changed.push(item);
    }

    formerItems.delete(createKey(item));
  }
  return [...changed, ...formerItems.values()];
}

/** Sources may state the same line or advisory. */
function createKey({ version, line, id, source }: Item): string {
  return version ?? `${line ?? id} ${source}`;
}

/** A stated digest that differs from the recorded ones. */
export interface ChangedDigest {
  version: string;
  source: string;
  artifact: string;
  /** Undefined if the digest was added. */
  recorded?: string;
  /** Undefined if the digest is gone. */
  digest?: string;
}

/** Registries accept further files of a release for some days; later, its bytes are settled. */
export const settledAfterDays = 30;

/**
 * Digests that contradict the recorded ones of a release or are gone, and digests added to a settled release. Bytes that are
 * recorded under another name do not contradict: upstream may rename its artifacts.
 */
export function findChangedDigests(
  before: RecordedData,
  after: RecordedData,
  day: Day,
): ChangedDigest[] {
  const present = new Map(after.releases.map((release) => [release.version, release]));
  const settledBefore = addDays(day, -settledAfterDays);

  return before.releases.flatMap((release) => {
    const { version, firstSeen = day } = release;
    const changes = compareDigests(release, present.get(version) ?? release);
    return firstSeen < settledBefore
      ? changes
      : changes.filter(({ recorded }) => recorded !== undefined);
  });
}

/** The changed digests of a release, of sources that have stated any before. */
function compareDigests(release: RecordedRelease, current: RecordedRelease): ChangedDigest[] {
  const { version, digests = {} } = release;
  const recorded = listRecordedDigests(release);
  const changed: ChangedDigest[] = [];

  for (const [source, artifacts] of Object.entries(digests)) {
    const currentArtifacts = current.digests?.[source] ?? {};
    for (const artifact of Object.keys({ ...artifacts, ...currentArtifacts })) {
      const before = listDigests(artifacts, artifact);
      const change = findOtherDigest(before, listDigests(currentArtifacts, artifact), recorded);
      if (change) {
        changed.push({ version, source, artifact, ...change });
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

/** Compares the digests of one artifact, as recorded and as stated now. */
function findOtherDigest(
  before: readonly string[],
  after: readonly string[],
  recorded: ReadonlySet<string>,
): Pick<ChangedDigest, 'recorded' | 'digest'> | undefined {
  const newDigests = after.filter((digest) => !recorded.has(digest));
  const conflict = findContradiction(before.join(' '), newDigests.join(' '));
  if (conflict) {
    return { recorded: conflict[0], digest: conflict[1] };
  }

  const removed = before.find((digest) => !after.includes(digest));
  if (removed !== undefined) {
    return { recorded: removed };
  }

  const [added] = newDigests;
  return added === undefined ? undefined : { digest: added };
}

/** None for an absent artifact. Its name may be that of a method of objects, such as "constructor". */
function listDigests(artifacts: ArtifactDigests, name: string): string[] {
  return Object.hasOwn(artifacts, name) ? artifacts[name]!.split(' ').filter(Boolean) : [];
}
