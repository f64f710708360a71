import { addMonths, startOfQuarter, type Day } from '../core/dates.ts';
import type { Judgement } from './judge.ts';

/** The first day that ticks of releases show: a year before the quarter of the day. It moves once a quarter. */
export function timetableFrom(day: Day): Day {
  return addMonths(startOfQuarter(day), -12);
}

/** The days since then on which something came out, oldest first. */
export function releaseDays({ releases, day }: Judgement): Day[] {
  const from = timetableFrom(day);
  const days = releases.flatMap(({ releaseDay }) => releaseDay ?? []);
  return [...new Set(days)].filter((on) => on >= from).sort();
}
