import { msPerDay } from '../../core/model/dates.ts';

/** From here on, distances are in weeks. */
const minDaysInWeeks = 21;
/** From here on, distances are in months. */
const minDaysInMonths = 92;
const daysPerMonth = 30.44;

const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `in 20 days`, `6 weeks ago`, `in 4 months`: the time from now to a day. `now`: milliseconds since 1970. */
export function describeDistance(day: string, now: number): string {
  const days = Math.ceil((Date.parse(day) - now) / msPerDay);
  const distance = Math.abs(days);
  if (distance < minDaysInWeeks) {
    return formatter.format(days, 'day');
  }

  return distance < minDaysInMonths
    ? formatter.format(Math.round(days / 7), 'week')
    : formatter.format(Math.round(days / daysPerMonth), 'month');
}
