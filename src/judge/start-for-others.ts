/** The day from which a release line ends the support of older ones. */
import type { DayRange } from '../core/day.ts';
import { compareVersions } from '../core/version.ts';
import type { Listed } from './listed-releases.ts';
import { findFirstDay, findReleaseDay, isExact, narrow } from './release-days.ts';

/**
 * Returns the day from which a line ends the support of older ones. Usually that is the day on which it began. But a pulled release (yanked,
 * deprecated or withdrawn) ends older lines only from the day of the next usable release in or above its line. Only the newest line is
 * supported, for example:
 *
 * | day    | what happens  | what readers see about 1.x                                  |
 * | ------ | ------------- | ----------------------------------------------------------- |
 * | May    | 2.0 comes out | it ended in May                                             |
 * | June   | 2.0 is yanked | it is supported                                             |
 * | August | 2.1 comes out | it ended in August: "in May" would contradict what June said |
 *
 * Returns undefined if the line ends no other line: it has no stable release that is still listed, or all of them are above every usable
 * release, for example after a yank of the newest line.
 *
 * `stable`: the stable releases of the line, in version order. `began`: the day by these releases. `usable`: the stable releases of all lines that
 * are not pulled.
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

  // In August of the example: 2.1, so that 2.0 has its effect in August, too.
  const above = usable.filter(({ parsed }) => compareVersions(parsed, oldest.parsed) >= 0);
  const next = findFirstDay(above.map(findReleaseDay));
  const start = findFirstDay(
    listed.map((release) => (wasPulledBefore(release, next) ? next : findReleaseDay(release))),
  );

  // No gap: another release of the line was usable when this one was pulled. In the example, if 2.0 had been yanked in September.
  const lasting = stable.filter((release) => !wasPulledBefore(release, start));
  if (lasting.length === stable.length) {
    return began;
  }

  const first = findFirstDay([start, ...lasting.map(findReleaseDay)]);
  return isExact(first) ? first : narrow([first.from, began.from], first.atMost);
}

/** Tells whether a release was pulled before a day. One that was pulled from the start has the day ''. */
function wasPulledBefore({ pulledOn }: Listed, { from = '', atMost = from }: DayRange): boolean {
  return pulledOn ? pulledOn < atMost : false;
}
