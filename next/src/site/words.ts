/** Distances of days for people. */
import { countDays, type Day } from '../core/day.ts';
import { formatCount } from '../core/text.ts';

/** `in 7 weeks`, of a day at most some months away. */
export function describeDistance(from: Day, to: Day): string {
  const days = countDays(from, to);
  if (days === 0) {
    return 'today';
  }

  const [size, unit] =
    Math.abs(days) < 14 ? [Math.abs(days), 'day'] : [Math.round(Math.abs(days) / 7), 'week'];
  const words = formatCount(size, unit);
  return days > 0 ? `in ${words}` : `${words} ago`;
}
