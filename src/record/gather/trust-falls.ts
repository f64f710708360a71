import { listingSources, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { refKindOf, type Provenance } from '../../core/schemas/provenance.ts';
import { lowerAscii } from '../../core/text.ts';
import { compareVersions, parseVersion, rankKey, type Version } from '../../core/version.ts';
import type { Comparison } from './comparison.ts';

/** A new version is measured by so many recorded ones directly before it. */
const measured = 5;

export interface TrustFall {
  version: Version;
  why: string;
  /** The statement on its build: a person accepts exactly that. */
  stated: string;
}

/**
 * The new versions that have no provenance, or one from another repository or builder, where the five versions before them that
 * the source lists all have one. A release made with stolen credentials is often built elsewhere.
 */
export function findTrustFalls({ id, releases, byRank, settled }: Comparison): TrustFall[] {
  const known = settled.flatMap((entry) => {
    const version = parseVersion(entry.version);
    return version && listingSources(entry).includes(id) ? { version, build: buildOf(entry, id) } : [];
  });
  if (known.filter(({ build }) => build).length < measured) return [];
  known.sort((a, b) => compareVersions(a.version, b.version));
  return releases.flatMap((release) => {
    const { version, provenance, unreadAttestation } = release;
    if (byRank.has(rankKey(version))) return [];
    const next = known.findIndex((one) => compareVersions(one.version, version) > 0);
    const builds = known
      .slice(0, next < 0 ? known.length : next)
      .slice(-measured)
      .flatMap(({ build }) => build ?? []);
    if (builds.length < measured) return [];
    const fall = (why: string, stated: string) => [{ version, why, stated }];
    if (unreadAttestation !== undefined)
      return fall(`its attestation could not be read (${unreadAttestation})`, 'unread');
    if (!provenance)
      return fall(`it has no provenance, and the ${measured} versions before it have one`, 'none');
    for (const [key, verb] of [
      ['repository', 'from'],
      ['builder', 'by'],
      ['ref', 'from a'],
    ] as const) {
      const before = [...new Set(builds.map((build) => build[key]))];
      const now = comparable(provenance)[key];
      if (before.includes(now) || before.includes(undefined)) continue;
      const others = `the ${measured} versions before it ${verb} ${before.join(' and ')}`;
      return fall(`it was built ${verb} ${now}, and ${others}`, JSON.stringify(comparable(provenance)));
    }
    return [];
  });
}

function buildOf({ provenance }: RecordedRelease, id: string) {
  return provenance?.source === id ? comparable(provenance) : undefined;
}

/** Each release has a tag of its own, so that the kind of ref is compared: a branch is easier to push to than a tag. */
function comparable(provenance: Pick<Provenance, 'repository' | 'builder' | 'ref'>) {
  const { repository, builder } = provenance;
  return {
    repository: lowerAscii(repository),
    builder: builder.replace(/@[^@/]*(?:\/[^@]*)?$/, ''),
    ref: refKindOf(provenance),
  };
}
