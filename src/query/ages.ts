import type { Row } from './fields.ts';
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
