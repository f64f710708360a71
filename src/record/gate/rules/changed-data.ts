/** What differs between the recorded data of a component before and after a change. */
import { isDeepStrictEqual } from 'node:util';
import { addDays, type Day } from '../../../core/model/dates.ts';
import { findContradiction } from '../../../core/model/digest.ts';
import {
  listRecordedDigests,
  type ArtifactDigests,
  type RecordedData,
  type RecordedRelease,
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

type DigestChange =
  | { kind: 'replaced'; recorded: string; digest: string }
  | { kind: 'removed'; recorded: string }
  | { kind: 'added'; digest: string };

export type ChangedDigest = DigestChange & { version: string; source: string; artifact: string };

/** Registries accept further files of a release for some days; later, its bytes are settled. */
export const settledAfterDays = 30;

/**
 * Replaced and removed digests of releases, and digests added to a settled release. A digest that the release has under any other
 * name is not new, as upstream may rename its artifacts; under its old name it is removed. Releases that are gone do not count.
 */
export function findChangedDigests(
  before: RecordedData,
  after: RecordedData,
  day: Day,
): ChangedDigest[] {
  const present = new Map(after.releases.map((release) => [release.version, release]));
  const settledBefore = addDays(day, -settledAfterDays);
  const changed: ChangedDigest[] = [];

  for (const release of before.releases) {
    const current = present.get(release.version);
    if (current) {
      const isSettled = (release.firstSeen ?? day) < settledBefore;
      const changes = compareDigests(release, current);
      changed.push(...changes.filter(({ kind }) => isSettled || kind !== 'added'));
    }
  }

  return changed;
}

/** The changed digests of a release, of sources that have stated any before. */
function compareDigests(release: RecordedRelease, current: RecordedRelease): ChangedDigest[] {
  const { version, digests = {} } = release;
  const allRecorded = listRecordedDigests(release);
  const changed: ChangedDigest[] = [];

  for (const [source, artifacts] of Object.entries(digests)) {
    const currentArtifacts = current.digests?.[source] ?? {};
    for (const artifact of Object.keys({ ...artifacts, ...currentArtifacts })) {
      const recorded = listDigests(artifacts, artifact);
      const change = findChange(recorded, listDigests(currentArtifacts, artifact), allRecorded);
      if (change) {
        changed.push({ version, source, artifact, ...change });
      }
    }
  }

  return changed;
}

/** How the digests of an artifact changed: one was replaced, else removed, else added. */
function findChange(
  recorded: readonly string[],
  stated: readonly string[],
  allRecorded: ReadonlySet<string>,
): DigestChange | undefined {
  const added = stated.filter((digest) => !allRecorded.has(digest));
  const contradiction = findContradiction(recorded, added);
  if (contradiction) {
    const [former, digest] = contradiction;
    return { kind: 'replaced', recorded: former, digest };
  }

  const removed = recorded.find((digest) => !stated.includes(digest));
  if (removed !== undefined) {
    return { kind: 'removed', recorded: removed };
  }

  return added[0] === undefined ? undefined : { kind: 'added', digest: added[0] };
}

/** None for an absent artifact. Its name may be that of a method of objects, such as "constructor". */
function listDigests(artifacts: ArtifactDigests, name: string): string[] {
  return Object.hasOwn(artifacts, name) ? artifacts[name]!.split(' ').filter(Boolean) : [];
}
