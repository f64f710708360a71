import { fields, type Row } from './fields.ts';
import { formatDuration } from './values.ts';

/** Fields that depend on the day of the question, and the field each is computed from. */
export const ages = {
  age: 'releaseTimestamp',
  supportLeft: 'supportedUntil',
  phaseLeft: 'phaseUntil',
} as const;
export type Age = keyof typeof ages;

/** In milliseconds, at the start of a day; undefined where support is over. */
export function computeAge(name: Age, time: string, now: number): number | undefined {
  const since = now - Date.parse(time);

  // A release later on the same day has the age 0.
  if (name === 'age') {
    return Math.max(0, since);
  }

  return since <= 0 ? Math.abs(since) : undefined;
}

/** The row with its ages at the start of a day. */
export function withAges(row: Row, day: string): Row {
  const now = Date.parse(day);
  const complete: Record<string, unknown> = { ...row };
  for (const name of Object.keys(ages) as Age[]) {
    const time = row[ages[name]];
    const age = time === undefined ? undefined : computeAge(name, time, now);
    if (age !== undefined) {
      complete[name] = formatDuration(age);
    }
  }
  return complete;
}

/** A row as answered: with ages, and with its fields in the documented order. */
export function answeredRow(row: Row, day: string): Row {
  return inOrder(withAges(row, day));
}

/** The row with its fields in the documented order. */
export function inOrder(row: Row): Row {
  return Object.fromEntries(
    fields.filter(({ name }) => name in row).map(({ name }) => [name, row[name as keyof Row]]),
  );
}
