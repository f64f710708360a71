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

  const undated: UndatedSource[] = [];
  for (const [id, entries] of bySource) {
    const days = entries.map(({ release }) => findObservedDay(release));
    if (days.includes(undefined)) {
      continue;
    }

    const [firstDay] = days.toSorted();
    const versions = entries
      .filter((_, index) => days[index] === firstDay)
      .map(({ release }) => release.version);
    const message =
      `${removeAddress(id)} states no release days: no end of support can be computed for ` +
      `${formatCount(versions.length, 'release')} first seen on ${firstDay}, which may be older. Add a stated policy, or days`;
    undated.push({ versions, message });
  }
  return undated;
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
