import { cutDay } from '../core/model/dates.ts';
import { removeAddress } from '../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import { listSourcesListing, type RecordedRelease } from '../core/schemas/recorded/recorded.ts';
import { formatCount } from '../core/text/wording.ts';

/** A source without release days. */
interface UndatedSource {
  /** The versions of its first answer: their days have no lower bound. */
  readonly versions: readonly string[];
  readonly message: string;
}

/** The sources that state no release day, if the support policy needs days. */
export function findUndatedSources(
  releases: readonly RecordedRelease[],
  support: SupportPolicy | undefined,
): UndatedSource[] {
  if (support && support.policy !== 'none' && support.policy !== 'term') {
    return [];
  }

  const bySource = Map.groupBy(
    releases.flatMap((release) => listSourcesListing(release).map((id) => ({ id, release }))),
    ({ id }) => id,
  );

  return Array.from(bySource)
    .map(([id, entries]) => {
      const days = entries
        .map(({ release }) => findObservedDay(release))
        .filter((value) => value !== undefined);
      if (days.length < entries.length) {
        return undefined;
      }

      const [firstDay] = days.toSorted();
      const versions = entries
        .filter(({ release }) => findObservedDay(release) === firstDay)
        .map(({ release }) => release.version);
      const message =
        `${removeAddress(id)} states no release days: no end of support can be computed for ` +
        `${formatCount(versions.length, 'release')} first seen on ${firstDay}, which may be older. Add a stated policy, or days`;
      return { versions, message };
    })
    .filter((value) => value !== undefined);
}

/** Undefined if a source states the day. */
function findObservedDay({
  releaseTimestamp,
  timestampKind,
  firstSeen,
}: RecordedRelease): string | undefined {
  const isStated = releaseTimestamp !== undefined && timestampKind !== 'observed';
  return isStated ? undefined : (firstSeen ?? (releaseTimestamp && cutDay(releaseTimestamp)));
}
