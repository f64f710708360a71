import { oldestFirst, type Day } from '../core/model/dates.ts';
import { findLastFreePhase, hasEnded } from '../core/model/phases.ts';
import { computeEndOn, stateTones } from '../core/model/words.ts';
import { findKnownEnd, type ComponentSummary, type LineSummary } from './component-summary.ts';

/** An end of support of one release line, or of several lines of a component that end together. */
export type EndAhead = ReturnType<typeof listEndsAhead>[number];

/** The ends that have not certainly passed, the soonest first. An end that may have passed is due now. */
export function listEndsAhead(summaries: readonly ComponentSummary[], day: Day) {
  return summaries
    .flatMap(listEnds)
    .filter((end) => hasEnded(end, day) !== true)
    .map((end) => {
      const dueOn = hasEnded(end, day) === false ? end.day : day;
      // No end ahead is over.
      const tone = stateTones[computeEndOn(end, day).state] as 'soon' | 'ok';
      return { ...end, dueOn, tone };
    })
    .sort((a, b) => oldestFirst(a.dueOn, b.dueOn) || oldestFirst(a.day, b.day));
}

function listEnds(component: ComponentSummary) {
  const { support } = component.definition;
  // Only the policy `ended` ends support of a whole component, unless a line has an end of its own.
  const isWholeComponent = support?.policy === 'ended' && support.lines === undefined;
  // The lines of a group end together, or have no known end.
  const byEnd = Map.groupBy(component.lines, (line) => JSON.stringify(findLineEnd(line)));
  const ends = [];
  for (const lines of byEnd.values()) {
    const [oldest] = lines;
    const end = findLineEnd(oldest);
    if (end) {
      ends.push({ ...end, component, lines, newest: lines.at(-1) ?? oldest, isWholeComponent });
    }
  }
  return ends;
}

/**
 * Describes the end of lines that end together; undefined if no end is known. `day`: to sort by, the latest possible
 * one where no other is known. `phase`: the one that ends, if the lines have several.
 */
function findLineEnd(line: LineSummary) {
  const { phases } = line;
  const { until, untilAtMost, name } = findLastFreePhase(phases) ?? {};
  const day = findKnownEnd(line);
  const phase = phases.length > 1 ? name : undefined;
  return day && { day, until, untilAtMost, phase };
}
