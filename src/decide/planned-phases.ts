import { dayAfter, type Day } from '../core/model/dates.ts';
import { findLastFreePhase, onlyPhase } from '../core/model/phases.ts';
import type { DayRange } from '../core/model/words.ts';
import type { OwnEnd, Phase } from '../core/schemas/definition/phase.ts';
import type { Reason } from '../core/schemas/published/reason.ts';
import { describeSource } from './policy-sentences.ts';

/** A phase of a release line, with the reason for its end if it has one. */
export interface PlannedPhase extends Phase {
  readonly reason?: Reason | undefined;
}

type NamedPhase = Pick<Phase, 'name' | 'paid'>;

/**
 * Why a phase ends, and its last day. Without a day, it is over. A text without a full stop is a sum of terms, each with its
 * origin; the end is its last term.
 */
interface PhaseEnd {
  readonly text: string;
  readonly range: DayRange;
  readonly url?: string | undefined;
}

/** Its releases are deprecated from the day after. */
export function planPhase({ name, paid }: NamedPhase, end: PhaseEnd | undefined): PlannedPhase {
  if (!end) {
    return { name, paid };
  }

  const { from: until, atMost: untilAtMost } = end.range;
  return {
    name,
    until,
    untilAtMost,
    paid,
    isOver: (until ?? untilAtMost) === undefined || undefined,
    reason: {
      rule: 'support policy',
      text: end.text,
      from: dayAfter(until),
      fromAtMost: dayAfter(untilAtMost),
      url: end.url,
    },
  };
}

/**
 * The phases of a line with an end of its own. Phases before the last that is not paid end no later, and paid phases follow it only
 * if they end later. `rule`: the rule for all lines in words, where it gives the line no end.
 */
export function applyOwnEnd(
  { until, reason, url }: OwnEnd,
  phases: readonly PlannedPhase[],
  rule: string,
): PlannedPhase[] {
  const freePhase = findLastFreePhase(phases) ?? { name: onlyPhase };
  const index = phases.indexOf(freePhase);
  const limit = (day: Day | undefined) => ((day ?? until) > until ? until : day);
  const earlierPhases = phases.slice(0, Math.max(index, 0)).map((phase) => ({
    ...phase,
    until: limit(phase.until),
    untilAtMost: limit(phase.untilAtMost),
  }));
  const paidPhases = phases
    .slice(index + 1)
    .filter((phase) => (phase.untilAtMost ?? phase.until ?? until) > until);
  const change = `${describeChange(freePhase, until)}, ${describeSource(url)}`;
  const sum = `${freePhase.reason?.text ?? rule}; ${change}`;
  const text = reason === undefined ? sum : `${sum}: ${reason}`;
  return [
    ...earlierPhases,
    planPhase(freePhase, { text, range: { from: until }, url }),
    ...paidPhases,
  ];
}

/** `extended to 2026-12-31`, where the rule gives an earlier end. */
function describeChange({ until, untilAtMost }: PlannedPhase, to: Day): string {
  const dayByRule = until ?? untilAtMost;
  if (dayByRule === undefined || dayByRule === to) {
    return `until ${to}`;
  }

  return `${to > dayByRule ? 'extended' : 'shortened'} to ${to}`;
}
