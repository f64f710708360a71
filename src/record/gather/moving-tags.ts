import type { Timestamp } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { parseVersion, type Version } from '../../core/model/version.ts';
import type { ArtifactDigests, RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import type { StatedRelease } from '../sources/datasource.ts';
import type { Answered } from './ask-source.ts';
import { computeRank } from './recorded-releases.ts';

/**
 * A tag of a container may point to a longer version, as `1.25` to `1.25.4`. A new one is left out: it is no release. A recorded one
 * stays without its digest, or it would be reported as republished. In another datasource, two versions may have the same bytes, so
 * the shorter one only loses its digest. `notes`: about the tags that were left out, and those that are not versions.
 */
export function leaveOutMovingTags(
  { id, releases, hasTags, unordered = [] }: Answered,
  recorded: readonly RecordedRelease[],
): { releases: StatedRelease[]; notes: string[] } {
  const recordedRanks = new Set(recorded.map(computeRank));
  const targets: Target[] = [...releases];
  if (hasTags) {
    for (const { version, digests, releaseTimestamp } of recorded) {
      targets.push({ version, digests: digests?.[id], recordedTimestamp: releaseTimestamp });
    }
  }

  const byPrefix = groupByPrefix(targets);
  const leftOut = [...unordered];
  const listedReleases: StatedRelease[] = [];

  for (const release of releases) {
    const isNew = !recordedRanks.has(computeRank(release));
    // Only names with a place in the version order are admitted.
    const key = createKey(parseVersion(release.version)!);
    const longerVersions = byPrefix.get(key) ?? [];
    if (!isMoving(release, longerVersions, isNew)) {
      listedReleases.push(release);
    } else if (hasTags && isNew) {
      leftOut.push(release.version);
    } else {
      listedReleases.push(dropUndefined({ ...release, digests: undefined }));
    }
  }

  const notes: string[] = [];
  if (leftOut.length > 0) {
    const state = leftOut.length === 1 ? 'is no release' : 'are no releases';
    const tags = `${formatCount(leftOut.length, 'tag')} that ${state}`;
    notes.push(`${id} lists ${tags}: ${formatList(leftOut, 10)}. Left out.`);
  }

  return { releases: listedReleases, notes };
}

/** A version that a tag may point to: `1.25` names the same image as `1.25.4` until `1.25.5` appears. */
interface Target {
  version: string;
  digests?: ArtifactDigests | undefined;
  /** Only of a recorded version. */
  recordedTimestamp?: Timestamp | undefined;
}

/** A tag moves if a longer version has its bytes, or if it is new and no older than a recorded longer version. */
function isMoving(
  { digests = {}, releaseTimestamp }: StatedRelease,
  longerVersions: readonly Target[],
  isNew: boolean,
): boolean {
  const bytes = new Set(Object.values(digests));
  for (const { digests: targetDigests = {}, recordedTimestamp } of longerVersions) {
    const hasSameBytes = Object.values(targetDigests).some((digest) => bytes.has(digest));
    const isNoOlder =
      releaseTimestamp !== undefined &&
      recordedTimestamp !== undefined &&
      recordedTimestamp <= releaseTimestamp;
    if (hasSameBytes || (isNew && isNoOlder)) {
      return true;
    }
  }

  return false;
}

/** The versions by each shorter tag that may point to them: `1.25.4-alpine` by those of `1-alpine` and `1.25-alpine`. */
function groupByPrefix(targets: readonly Target[]): Map<string, Target[]> {
  const byPrefix = new Map<string, Target[]>();

  for (const target of targets) {
    const { groups = [], suffix = '' } = parseVersion(target.version) ?? {};
    for (let length = 1; length < groups.length; length += 1) {
      const key = createKey({ groups: groups.slice(0, length), suffix });
      const versions = byPrefix.get(key) ?? [];
      versions.push(target);
      byPrefix.set(key, versions);
    }
  }

  return byPrefix;
}

function createKey({ groups, suffix }: Pick<Version, 'groups' | 'suffix'>): string {
  return `${groups.join('.')} ${suffix}`;
}
