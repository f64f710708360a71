import { dayNumber } from '../../core/dates.ts';
import type { SiteContext } from './site-context.ts';

/**
 * `assets/today.css`: the day of the build, as days since 1970 to draw with and as a text to show. Pages refer to it, so that
 * they themselves stay the same from one day to the next.
 */
export function renderTodayStylesheet({ day }: SiteContext): string {
  return `:root{--today:${dayNumber(day)};--day:"${day}"}\n`;
}
