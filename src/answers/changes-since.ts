import type { Day } from '../dates.ts';

/** What changed on a day and after it, the oldest first; of one day, in the order given. */
export function changesSince<Change extends { readonly on: Day }>(
  changes: readonly Change[],
  day: Day,
): Change[] {
  return changes.filter(({ on }) => on >= day).sort((a, b) => (a.on < b.on ? -1 : Number(a.on > b.on)));
}
