import { oldestFirst, type Day } from '../core/model/dates.ts';
import { findLastFreePhase } from '../core/model/phases.ts';
import type { ComponentSummary, LineSummary } from './component.ts';

/** The end of support of one release line, or of several lines of a component that end together. */
export interface EndOfSupport {
  /** The day to sort by: `until`, or `untilAtMost` where that is unknown. */
  readonly day: Day;
  /** The last day with support, exact or the earliest possible one; undefined if unknown. */
  readonly until: Day | undefined;
  /** The latest possible day, if the exact day is unknown. */
  readonly untilAtMost: Day | undefined;
  /** The last phase that is not paid, if the lines have several phases. */
  readonly phase: string | undefined;
  readonly component: ComponentSummary;
  /** Oldest first. */
  readonly lines: readonly [LineSummary, ...LineSummary[]];
  readonly newest: LineSummary;
  /** Whether the policy `ended` ends support of the whole component, without an end of its own for a line. */
  readonly isWholeComponent: boolean;
}

/** Every known end of support, past and future, by day and component. */
export function listEndsOfSupport(summaries: readonly ComponentSummary[]): EndOfSupport[] {
  return summaries.flatMap(listEnds).sort((a, b) => oldestFirst(a.day, b.day));
}

function listEnds(component: ComponentSummary): EndOfSupport[] {
  const { support } = component.definition;
  const isWholeComponent = support?.policy === 'ended' && support.lines === undefined;
  // The lines of a group end together, or have no known end.
  const byEnd = Map.groupBy(component.lines, (line) => JSON.stringify(findLineEnd(line)));
  const ends: EndOfSupport[] = [];
  for (const lines of byEnd.values()) {
    const [oldest] = lines;
    const end = findLineEnd(oldest);
    if (end) {
      ends.push({ ...end, component, lines, newest: lines.at(-1) ?? oldest, isWholeComponent });
    }
  }
  return ends;
}

/** What lines that end together have in common; undefined if no end is known. */
function findLineEnd({ phases }: LineSummary) {
  const { until, untilAtMost, name } = findLastFreePhase(phases) ?? {};
  const day = until ?? untilAtMost;
  const phase = phases.length > 1 ? name : undefined;
  return day === undefined ? undefined : { day, until, untilAtMost, phase };
}
