/** Creates the view of `support.html`: the release lines whose support ends or ended in the present calendar quarter. */
import { addDays, addMonths, type Day } from '../../core/day.ts';
import { formatDay } from '../../core/phrases.ts';
import type { listAllEnds } from './index-page.ts';

/** Returns the view. `all`: the result of `listAllEnds`. */
export function viewSupport(asOf: Day, all: ReturnType<typeof listAllEnds>) {
  const monthsBefore = (Number(asOf.slice(5, 7)) - 1) % 3;
  const from = addMonths(`${asOf.slice(0, 7)}-01`, -monthsBefore);
  const to = addDays(addMonths(from, 3), -1);
  const isInQuarter = (day?: Day) => day !== undefined && from <= day && day <= to;
  return {
    period: `from ${formatDay(from)} to ${formatDay(to)}`,
    // Some lines have only a latest possible end.
    rows: all.filter(
      ({ line }) => isInQuarter(line.supportedUntil) || isInQuarter(line.supportedUntilAtMost),
    ),
  };
}
