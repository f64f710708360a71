import { oldestFirst, type Day } from '../core/model/dates.ts';
import { hasEnded, findLastFreePhase, listIfSeveral } from '../core/model/phases.ts';
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
  /** Support of the whole component has ended. */
  readonly isOfAll: boolean;
}

/** Every known end of support, past and future, by day and component. */
export function listEndsOfSupport(summaries: readonly ComponentSummary[]): EndOfSupport[] {
  return summaries.flatMap(listEnds).sort((a, b) => oldestFirst(a.day, b.day));
}

/** The next end of a part of a component. */
export function findNextEnd(
  summaries: readonly ComponentSummary[],
  day: Day,
): EndOfSupport | undefined {
  return listEndsOfSupport(summaries).find(
    (end) => !hasEnded({ until: end.day }, day) && !end.isOfAll,
  );
}

function listEnds(component: ComponentSummary): EndOfSupport[] {
  const { definition, lines } = component;
  const linesWithEnd = lines.filter((line) => findKnownEnd(line) !== undefined);
  const byEnd = Map.groupBy(linesWithEnd, (line) => JSON.stringify(describeLineEnd(line)));

  return Array.from(byEnd.values(), (group) => ({
    ...describeLineEnd(group[0]),
    component,
    lines: group,
    newest: group.at(-1)!,
    isOfAll: definition.support?.policy === 'ended',
  }));
}

function describeLineEnd(line: LineSummary): Pick<EndOfSupport, 'day' | 'atMost' | 'phase'> {
  return {
    day: findKnownEnd(line)!,
    atMost: findLastFreePhase(line.phases)?.untilAtMost,
    phase: findLastFreePhase(listIfSeveral(line.phases))?.name,
  };
}
