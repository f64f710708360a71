const msPerDay = 86_400_000;
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** The time until a day: `in 8 weeks` or `6 weeks ago`. `now`: milliseconds since 1970. */
export function distance(day: string, now: number): string {
  const days = Math.ceil((Date.parse(day) - now) / msPerDay);
  const far = Math.abs(days);
  if (far < 21) {
    return words.format(Math.round(days), 'day');
  }

  return far < 92
    ? words.format(Math.round(days / 7), 'week')
    : words.format(Math.round(days / 30.44), 'month');
}
