/** The places of releases among each other. */
import { countDays, type Day } from '../core/day.ts';
import type { Release } from '../core/schema/published.ts';
import { isUsable } from './move.ts';
import type { Judged, JudgedRelease } from './states.ts';

export type Place = Pick<Release, 'isLatest' | 'isLatestOfLine' | 'releasesBehind' | 'behind'>;

/** The place of each release, in their order. */
export function findPlaces({ latest, lines, releases }: Judged): Place[] {
  const latestOfLines = new Set(lines.map(({ newest }) => newest));
  let newer = releases.filter(isUsable).length;
  return releases.map((release) => {
    // Older releases are behind it.
    newer -= Number(isUsable(release));
    const isBehind = latest !== undefined && release !== latest;
    return {
      isLatest: release === latest || undefined,
      isLatestOfLine: latestOfLines.has(release) || undefined,
      releasesBehind: isBehind ? newer : undefined,
      behind: isBehind ? countDaysBehind(findStatedDay(release), findStatedDay(latest)) : undefined,
    };
  });
}

/** The day that upstream states. */
function findStatedDay({ day, recorded }: JudgedRelease): Day | undefined {
  return recorded.timestampKind === 'observed' ? undefined : day;
}

/** Undefined for a release after the latest one, and where upstream states no day. */
function countDaysBehind(day: Day | undefined, latestDay: Day | undefined): number | undefined {
  return day !== undefined && latestDay !== undefined && day <= latestDay
    ? countDays(day, latestDay)
    : undefined;
}
