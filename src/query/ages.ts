import { fields, type Row } from './fields.ts';
import { formatDuration } from './values.ts';

/** The row with what depends on the day asked for, counted from its start. */
export function withAges(row: Row, day: string): Row {
  const { releaseTimestamp, supportedUntil } = row;
  const now = Date.parse(day);
  const left = supportedUntil === undefined ? 0 : Date.parse(supportedUntil) - now;
  return {
    ...row,
    // What came out later on the day itself is as young as can be.
    ...(releaseTimestamp !== undefined && {
      age: formatDuration(Math.max(0, now - Date.parse(releaseTimestamp))),
    }),
    ...(left > 0 && { supportLeft: formatDuration(left) }),
  };
}

/** A row as it is answered: with what depends on the day, and in the order in which the fields are described. */
export function answeredRow(row: Row, day: string): Row {
  const complete = withAges(row, day);
  return Object.fromEntries(
    fields.flatMap(({ name }) => (name in complete ? [[name, complete[name as keyof Row]]] : [])),
  );
}
