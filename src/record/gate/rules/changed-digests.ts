import { addDays, type Day } from '../../../core/model/dates.ts';
import { findContradiction } from '../../../core/model/digest.ts';
import {
  listRecordedDigests,
  type ArtifactDigests,
  type RecordedData,
  type RecordedRelease,
} from '../../../core/schemas/recorded/recorded.ts';

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
