import { oldestFirst, type Day } from '../core/model/dates.ts';
import { findLastFreePhase } from '../core/model/phases.ts';
import { findKnownEnd, type ComponentSummary, type LineSummary } from './component.ts';

/** The end of support of one release line, or of several lines of a component that end together. */
export interface EndOfSupport {
  /** The last day with support, exact or the earliest possible one. */
  readonly day: Day;
  readonly component: ComponentSummary;
  /** Oldest first. */
  readonly lines: readonly [LineSummary, ...LineSummary[]];
  readonly newest: LineSummary;
  /** The latest possible day, if the exact day is unknown. */
  readonly atMost?: Day | undefined;
  /** The last phase of support, if the lines have several. */
  readonly phase?: string | undefined;
  /** Whether support of the whole component ends with it. */
  readonly isOfAll: boolean;
}

/** Every known end of support, past and future, by day and component. */
export function listEndsOfSupport(summaries: readonly ComponentSummary[]): EndOfSupport[] {
  return summaries.flatMap(listEnds).sort((a, b) => oldestFirst(a.day, b.day));
}

function listEnds(component: ComponentSummary): EndOfSupport[] {
  const isOfAll = component.definition.support?.policy === 'ended';
  // The lines of a group end together, or have no known end.
  const byEnd = Map.groupBy(component.lines, (line) => JSON.stringify(findLineEnd(line)));
  const ends: EndOfSupport[] = [];
  for (const lines of byEnd.values()) {
    const [oldest] = lines;
    const end = findLineEnd(oldest);
    if (end) {
      ends.push({ ...end, component, lines, newest: lines.at(-1) ?? oldest, isOfAll });
    }
  }
  return ends;
}

/** What lines that end together have in common; undefined if no end is known. */
function findLineEnd({
  phases,
}: LineSummary): Pick<EndOfSupport, 'day' | 'atMost' | 'phase'> | undefined {
  const day = findKnownEnd({ phases });
  const { untilAtMost: atMost, name } = findLastFreePhase(phases) ?? {};
  return day === undefined
    ? undefined
    : { day, atMost, phase: phases.length > 1 ? name : undefined };
}
