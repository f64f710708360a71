import { addDays, dayAfter, type Day, type DayRange } from '../core/model/dates.ts';
import { findLastFreePhase, hasEnded, onlyPhase } from '../core/model/phases.ts';
import type { OwnEnd, Phase } from '../core/schemas/definition/phase.ts';
import type { Reason } from '../core/schemas/published/reason.ts';
import { capitalise, endSentence, isSentence } from '../core/text/wording.ts';
import { describeSource } from './policy-sentences.ts';

/** A phase of a release line, with the reason for its end if it has one. */
export interface PlannedPhase extends Phase {
  readonly reason?: Reason | undefined;
}

/**
 * The last day of a phase, and why it ends then: a sentence, or a sum of terms with their origins, such as `2025-04-08, by the
 * vendor; 18 months, by the definition`. An empty range: the phase is over since an unknown day.
 */
interface PhaseEnd {
  readonly text: string;
  readonly range: DayRange;
  readonly url?: string | undefined;
}

/** A phase that ends as `end` says, with the reason for deprecations from the next day on. Without `end`, its end is not known. */
export function planPhase(
  { name, paid }: Pick<Phase, 'name' | 'paid'>,
  end: PhaseEnd | undefined,
): PlannedPhase {
  if (!end) {
    return { name, paid };
  }

  const { from: until, atMost: untilAtMost } = end.range;
  return {
    name,
    until,
    untilAtMost,
    paid,
    isOver: isUnknown(end.range) || undefined,
    reason: {
      rule: 'support policy',
      text: end.text,
      from: dayAfter(until),
      fromAtMost: dayAfter(untilAtMost),
      url: end.url,
    },
  };
}

/** Whether neither bound of a day is known. */
export function isUnknown({ from, atMost }: DayRange): boolean {
  return from === undefined && atMost === undefined;
}

/**
 * The phases of a line whose last phase that is not paid has an end of its own. Earlier phases end no later. A paid phase follows only
 * if its last day is known, and is later or may be later. `rule`: the rule for all lines in words, for a line to which it gives no end.
 */
export function applyOwnEnd(
  ownEnd: OwnEnd,
  phases: readonly PlannedPhase[],
  rule: string,
): PlannedPhase[] {
  const { until: ownDay, url } = ownEnd;
  const lastPhase = findLastFreePhase(phases) ?? { name: onlyPhase };
  const earlierPhases = phases.filter((phase) => !phase.paid && phase !== lastPhase);
  const paidPhases = phases.filter(
    ({ paid, until, untilAtMost = until }) => paid && untilAtMost && untilAtMost > ownDay,
  );
  const planOwnEnd = (phase: PlannedPhase, range: DayRange) =>
    planPhase(phase, { text: explainOwnEnd(ownEnd, phase, rule), range, url });

  const nextDay = addDays(ownDay, 1);
  return [
    ...earlierPhases.map((phase) =>
      hasEnded(phase, nextDay) ? phase : planOwnEnd(phase, limitEnd(phase, ownDay)),
    ),
    planOwnEnd(lastPhase, { from: ownDay }),
    ...paidPhases,
  ];
}

/** The last day of a phase that may end after `day`, shortened to it. A phase without an end ends on the day. */
function limitEnd({ until, untilAtMost }: Phase, day: Day): DayRange {
  const isExact = untilAtMost === undefined || (until !== undefined && until >= day);
  return isExact ? { from: day } : { from: until, atMost: day };
}

/** `18 months, by the definition; extended to 2026-12-31, by example.com: Moved.` After a rule that is a sentence, another sentence. */
function explainOwnEnd({ until, reason, url }: OwnEnd, phase: PlannedPhase, rule: string): string {
  const byRule = phase.reason?.text ?? rule;
  const change = `${describeChange(phase, until)}, ${describeSource(url)}`;
  const end = reason === undefined ? change : `${change}: ${endSentence(reason)}`;
  return isSentence(byRule) ? `${byRule} ${endSentence(capitalise(end))}` : `${byRule}; ${end}`;
}

/**
 * `extended to 2026-12-31` or `shortened to 2026-12-31`, where the end by the rule is earlier or later; `until 2026-12-31`, where it is
 * unknown or may be the same.
 */
function describeChange({ until, untilAtMost = until }: PlannedPhase, to: Day): string {
  if (untilAtMost && to > untilAtMost) {
    return `extended to ${to}`;
  }
  if (until && to < until) {
    return `shortened to ${to}`;
  }

  return `until ${to}`;
}
