/** Finds the day from which a release line ends the support of older lines. */
import type { DayRange } from '../core/day.ts';
import { compareVersions } from '../core/version.ts';
import type { Listed } from './listed-releases.ts';
import { findFirstDay, findReleaseDay, isExact, narrow } from './release-days.ts';

/**
 * Returns the day from which a line ends the support of older lines. Usually this is the day on which the line began. But all its releases
 * may have been pulled (yanked, deprecated or withdrawn) before the next usable release came out. Then older lines end on the day of that
 * release, even if it belongs to a newer line. Example, in which only the newest line is supported:
 *
 * | day    | what happens  | what readers see about 1.x                                           |
 * | ------ | ------------- | -------------------------------------------------------------------- |
 * | May    | 2.0 comes out | it ended in May                                                      |
 * | June   | 2.0 is yanked | it is supported                                                      |
 * | August | 2.1 comes out | it ended in August (not in May, because readers saw support in June) |
 *
 * Undefined if the line doesn't end any other line, in these cases:
 * - No stable release of the line is still listed.
 * - All releases of the line are above every usable release. For example, the newest line was yanked.
 *
 * Parameters:
 * - `stable`: the stable releases of the line, in version order
 * - `began`: the first day of the line
 * - `usable`: all stable releases of the component that are not pulled
 */
export function findStartForOthers(
  stable: readonly Listed[],
  began: DayRange,
  usable: readonly Listed[],
): DayRange | undefined {
  const listed = stable.filter(({ isWithdrawn }) => !isWithdrawn);
  const [oldest] = listed;
  const newestUsable = usable.at(-1);
  if (!oldest || !newestUsable || compareVersions(newestUsable.parsed, oldest.parsed) < 0) {
    return undefined;
  }
  if (stable.every(({ pulledOn }) => pulledOn === undefined)) {
    return began;
  }

  // In the example, this finds 2.1 in August, so 2.0 ends older lines in August, too.
  const above = usable.filter(({ parsed }) => compareVersions(parsed, oldest.parsed) >= 0);
  const next = findFirstDay(above.map(findReleaseDay));
  const start = findFirstDay(
    listed.map((release) => (wasPulledBefore(release, next) ? next : findReleaseDay(release))),
  );

  // If no stable release of the line was pulled before `start`, there was no gap between usable releases. Then the line ends older lines
  // from its first day. Example: 2.0 comes out in May and 2.1 in August. 2.0 is yanked in September. The line ends older lines from May.
  const lasting = stable.filter((release) => !wasPulledBefore(release, start));
  if (lasting.length === stable.length) {
    return began;
  }

  const first = findFirstDay([start, ...lasting.map(findReleaseDay)]);
  return isExact(first) ? first : narrow([first.from, began.from], first.atMost);
}

/** Tells whether a release was pulled before a day. False for a release that was always pulled (`pulledOn` is ''). */
function wasPulledBefore({ pulledOn }: Listed, { from = '', atMost = from }: DayRange): boolean {
  return pulledOn ? pulledOn < atMost : false;
}
