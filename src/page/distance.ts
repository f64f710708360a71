const msPerDay = 86_400_000;
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How far away a day is, such as `in 8 weeks` or `6 weeks ago`. `now`: milliseconds, on any hour of a day in UTC. */
export function distance(day: string, now: number): string {
  const days = Math.ceil((Date.parse(day) - now) / msPerDay);
  const far = Math.abs(days);
  if (far < 21) return words.format(days, 'day');
  if (far < 92) return words.format(Math.round(days / 7), 'week');
  return words.format(Math.round(days / 30.44), 'month');
}
