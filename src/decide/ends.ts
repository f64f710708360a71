import { oldestFirst, type Day } from '../core/model/dates.ts';
import { hasEnded, lastFreePhase, severalPhases } from '../core/model/phases.ts';
import { knownEnd, type ComponentSummary, type LineSummary } from './component.ts';

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

const endsBySummaries = new WeakMap<readonly ComponentSummary[], EndOfSupport[]>();

/** Every known end of support, past and future, by day and component. */
export function endsOfSupport(summaries: readonly ComponentSummary[]): readonly EndOfSupport[] {
  const cached = endsBySummaries.get(summaries);
  if (cached) {
    return cached;
  }

  const ends = summaries.flatMap(listEnds).sort((a, b) => oldestFirst(a.day, b.day));
  endsBySummaries.set(summaries, ends);
  return ends;
}

/** The next end of a part of a component. */
export function nextEnd(
  summaries: readonly ComponentSummary[],
  day: Day,
): EndOfSupport | undefined {
  return endsOfSupport(summaries).find((end) => !hasEnded({ until: end.day }, day) && !end.isOfAll);
}

function listEnds(component: ComponentSummary): EndOfSupport[] {
  const { definition, lines } = component;
  const dated = lines.filter((line) => knownEnd(line) !== undefined);
  const findLatestEnd = ({ phases }: LineSummary) => lastFreePhase(phases)?.untilAtMost;
  const namePhase = ({ phases }: LineSummary) => lastFreePhase(severalPhases(phases))?.name;
  const byDay = Map.groupBy(dated, (line) =>
    [knownEnd(line), findLatestEnd(line), namePhase(line)].join(' '),
  );

  return Array.from(byDay.values(), (ending) => {
    const [oldest] = ending;
    return {
      day: knownEnd(oldest)!,
      atMost: findLatestEnd(oldest),
      phase: namePhase(oldest),
      component,
      lines: ending,
      newest: ending.at(-1)!,
      isOfAll: definition.support?.policy === 'ended',
    };
  });
}
