import { dayOf } from '../core/dates.ts';
import type { SupportPolicy } from '../core/schemas/support-policy.ts';
import { listingSources, type RecordedRelease } from '../core/schemas/recorded.ts';
import { withoutAddress } from '../core/schemas/source.ts';
import { counted } from '../core/text.ts';

/** A source that states the day of none of its releases, and what follows. */
export interface UndatedSource {
  /** Those that it listed first, whose days nothing bounds. */
  readonly versions: readonly string[];
  readonly message: string;
}

/** The sources that never state a day, unless the policy needs none. */
export function undatedSources(
  releases: readonly RecordedRelease[],
  support: SupportPolicy | undefined,
): UndatedSource[] {
  if (support && support.policy !== 'none' && support.policy !== 'term') return [];
  const bySource = Map.groupBy(
    releases.flatMap((release) => listingSources(release).map((id) => ({ id, release }))),
    ({ id }) => id,
  );
  return Array.from(bySource).flatMap(([id, of]) => {
    const seen = of.flatMap(({ release }) => observedDay(release) ?? []);
    if (seen.length < of.length) return [];
    const [first] = seen.toSorted();
    const versions = of.flatMap(({ release }) => (observedDay(release) === first ? release.version : []));
    const message =
      `${withoutAddress(id)} states no release days: no end of support can be computed for ` +
      `${counted(versions.length, 'release')} first seen on ${first}, which may be older. Add a stated policy, or days`;
    return { versions, message };
  });
}

/** Undefined where somebody states the day. */
function observedDay({ releaseTimestamp, timestampKind, firstSeen }: RecordedRelease): string | undefined {
  const isStated = releaseTimestamp !== undefined && timestampKind !== 'observed';
  return isStated ? undefined : (firstSeen ?? (releaseTimestamp && dayOf(releaseTimestamp)));
}
