import { fields, type Row } from './fields.ts';
import { formatDuration } from './values.ts';

/** What depends on the day asked for, and the time that it counts from or to. */
export const ages = {
  age: 'releaseTimestamp',
  supportLeft: 'supportedUntil',
  phaseLeft: 'phaseUntil',
} as const;
export type Age = keyof typeof ages;

/** In milliseconds, from the start of a day; undefined where support is over. */
export function ageOf(name: Age, time: string, now: number): number | undefined {
  const since = now - Date.parse(time);
  // What came out later on the day itself is as young as can be.
  if (name === 'age') return Math.max(0, since);
  return since < 0 ? -since : undefined;
}

/** The row with what depends on the day asked for, counted from its start. */
export function withAges(row: Row, day: string): Row {
  const now = Date.parse(day);
  const complete: Record<string, unknown> = { ...row };
  for (const name of Object.keys(ages) as Age[]) {
    const time = row[ages[name]];
    const age = time === undefined ? undefined : ageOf(name, time, now);
    if (age !== undefined) complete[name] = formatDuration(age);
  }
  return complete;
}

/** A row as it is answered: with what depends on the day, and in the order in which the fields are described. */
export function answeredRow(row: Row, day: string): Row {
  return inOrder(withAges(row, day));
}

/** The row with its fields in the order in which they are described. */
export function inOrder(row: Row): Row {
  return Object.fromEntries(
    fields.flatMap(({ name }) => (name in row ? [[name, row[name as keyof Row]]] : [])),
  );
}
