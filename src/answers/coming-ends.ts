import { addDays, type Day } from '../dates.ts';
import type { Row } from '../query/fields.ts';

/** The end of a release line's support. */
export interface ComingEnd {
  /** The first day without support. */
  day: Day;
  component: string;
  line: string;
  /** How many releases it has that are supported until then. */
  releases: number;
}

/** The release lines that leave support within some days after one, soonest first. `rows`: of all components, in their order. */
export function comingEnds(rows: readonly Row[], day: Day, days: number): ComingEnd[] {
  const last = addDays(day, days);
  const leaving = rows.filter(
    ({ isSupported, supportedUntil }) =>
      isSupported && supportedUntil !== undefined && supportedUntil > day && supportedUntil <= last,
  );
  const byLine = Map.groupBy(leaving, ({ component, line }) => `${component} ${line}`);
  return Array.from(byLine.values(), (releases): ComingEnd => {
    const { supportedUntil, component, line } = releases[0]!;
    return { day: supportedUntil!, component: String(component), line: line!, releases: releases.length };
  }).sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
}
