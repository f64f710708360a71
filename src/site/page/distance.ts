const msPerDay = 86_400_000;
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** The time until a day: `in 8 weeks` or `6 weeks ago`. `now`: milliseconds since 1970. */
export function distance(day: string, now: number): string {
  const days = Math.ceil((Date.parse(day) - now) / msPerDay);
  const far = Math.abs(days);
  const [count, unit] =
    far < 21 ? [days, 'day'] : far < 92 ? [days / 7, 'week'] : [days / 30.44, 'month'];

  return words.format(Math.round(count), unit as Intl.RelativeTimeFormatUnit);
}
