import { addMonths, startOfQuarter, type Day } from '../core/dates.ts';
import type { Judgement } from './judge.ts';

/** The first day that a timetable shows: of the third quarter before that of the day. It moves once a quarter. */
export function timetableFrom(day: Day): Day {
  return addMonths(startOfQuarter(day), -9);
}

/** The days that a timetable shows on which something came out, oldest first. */
export function releaseDays({ releases, day }: Judgement): Day[] {
  const from = timetableFrom(day);
  const days = releases.flatMap(({ releaseDay }) => releaseDay ?? []);
  return [...new Set(days)].filter((on) => on >= from).sort();
}
