/** Tells how far away ends are as of the day of the page, such as `in 7 weeks`: at most some months. */
import { countDays } from '../../core/day.ts';

// In quotes, from assets/today.css.
const asOf = getComputedStyle(document.body).getPropertyValue('--as-of').trim().slice(1, -1);
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

// Without style sheets, no day is known.
for (const place of asOf ? document.querySelectorAll<HTMLElement>('[data-until]') : []) {
  const days = countDays(asOf, place.dataset['until']!);
  place.textContent =
    days < 14 ? relative.format(days, 'day') : relative.format(Math.round(days / 7), 'week');
}
