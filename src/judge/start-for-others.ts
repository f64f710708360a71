/** Finds the day from which a release line ends the support of older lines. */
import type { DayRange } from '../core/day.ts';
import { compareVersions } from '../core/version.ts';
import type { Listed } from './listed-releases.ts';
import { findFirstDay, findReleaseDay, isExact, narrow } from './release-days.ts';

/**
 * Returns the day from which a line ends the support of older lines. Usually this is the day on which the line began. But if all releases
 * of the line were pulled (yanked, deprecated or withdrawn) before the next usable release came out, older lines end only on the day of
 * that release. It may also belong to a newer line. An example, in which only the newest line is supported:
 *
 * | day    | what happens  | what readers see about 1.x                                                |
 * | ------ | ------------- | ------------------------------------------------------------------------- |
 * | May    | 2.0 comes out | it ended in May                                                           |
 * | June   | 2.0 is yanked | it is supported                                                           |
 * | August | 2.1 comes out | it ended in August, not in May, because in June it was shown as supported |
 *
 * Returns undefined if the line doesn't end any other line. This is so if no stable release of the line is still listed. It is also so if
 * all releases of the line are above every usable release, for example after a yank of the newest line.
 *
 * `stable`: the stable releases of the line, in version order. `began`: the first day of these releases. `usable`: all stable releases of
 * the component that are not pulled.
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

  // If no release was pulled before `start`, the line has had a usable release ever since it began, so it ends older lines from its first
  // day. In the example, this is so if 2.0 is yanked only in September, after 2.1 came out.
  const lasting = stable.filter((release) => !wasPulledBefore(release, start));
  if (lasting.length === stable.length) {
    return began;
  }

  const first = findFirstDay([start, ...lasting.map(findReleaseDay)]);
  return isExact(first) ? first : narrow([first.from, began.from], first.atMost);
}

/** Tells whether a release was pulled before a day. For a release that was always pulled, `pulledOn` is ''. */
function wasPulledBefore({ pulledOn }: Listed, { from = '', atMost = from }: DayRange): boolean {
  return pulledOn ? pulledOn < atMost : false;
}
