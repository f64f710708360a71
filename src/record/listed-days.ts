/** Warns about dates in own lists that differ from the recorded dates. */
import { toDay } from '../core/day.ts';
import type { Problem } from '../core/errors.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import { formatCount, formatList } from '../core/text.ts';

/**
 * Returns a warning about releases for which an own list gives another date than the recorded one. Warns only if the list has changed since
 * the last run, so each difference is reported once.
 */
export function listOtherDays(subject: string, former: Recorded, recorded: Recorded): Problem[] {
  const listed = new Map(former.releases.map(({ version, listedDay }) => [version, listedDay]));
  const others = recorded.releases.flatMap(({ version, listedDay, releaseTimestamp }) => {
    const day = releaseTimestamp && toDay(releaseTimestamp);
    return listedDay === undefined || listedDay === listed.get(version) || listedDay === day
      ? []
      : `${version} (${listedDay}, recorded: ${day})`;
  });
  if (others.length === 0) {
    return [];
  }

  const message =
    `its own list gives another day than data/${subject}.json for ${formatCount(others.length, 'release')}: ${formatList(others, 5)}. ` +
    `The recorded day stays. If the list is right, write its day into data/${subject}.json as "releaseTimestamp", and remove "timestampKind"`;
  return [{ subject, message, level: 'warning' }];
}
