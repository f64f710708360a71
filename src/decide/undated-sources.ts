import { cutDay, findEarliestDay, findStatedDay, type Day } from '../core/model/dates.ts';
import { removeAddress } from '../core/schemas/definition/source-ids.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import {
  isListedBy,
  listSourcesListing,
  type RecordedRelease,
} from '../core/schemas/recorded/recorded.ts';
import { formatCount } from '../core/text/wording.ts';

/**
 * The sources that state no day of any release. None if the policy needs no days: it states the ends, or counts lines without adding
 * months. A component without a policy may get one that needs them. `versions`: of the first answer, whose days have no lower bound.
 */
export function findUndatedSources(
  releases: readonly RecordedRelease[],
  support: SupportPolicy | undefined,
) {
  const countsOnlyLines = support?.policy === 'latest-lines' && support.months === undefined;
  if (countsOnlyLines || ['ended', 'dated', 'stated'].includes(support?.policy ?? 'none')) {
    return [];
  }

  const undated: { versions: string[]; message: string }[] = [];
  for (const id of new Set(releases.flatMap(listSourcesListing))) {
    const listed = releases.filter((release) => isListedBy(release, id));
    const firstDay = findEarliestDay(listed.map(findObservedDay));
    if (firstDay === undefined || listed.some((release) => findStatedDay(release) !== undefined)) {
      continue;
    }

    const first = listed.filter((release) => findObservedDay(release) === firstDay);
    const message =
      `${removeAddress(id)} states no release days: ${formatCount(first.length, 'release')} first seen on ${firstDay} may be ` +
      'older, so a policy that counts months cannot tell when support ends. Add a stated policy, or days';
    undated.push({ versions: first.map(({ version }) => version), message });
  }
  return undated;
}

/** The day on which a release without a stated day was seen. */
function findObservedDay({ firstSeen, releaseTimestamp }: RecordedRelease): Day | undefined {
  return firstSeen ?? (releaseTimestamp && cutDay(releaseTimestamp));
}
