import { addDays, dayAfter, type Day } from '../core/model/dates.ts';
import { findLastFreePhase, hasEnded, onlyPhase } from '../core/model/phases.ts';
import type { DayRange } from '../core/model/words.ts';
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
 * vendor; 18 months, inferred`. Without a day, the phase is over.
 */
interface PhaseEnd {
  readonly text: string;
  readonly range: DayRange;
  readonly url?: string | undefined;
}

/** A phase with an end, from the day after which its releases are deprecated; or without one, if there is none. */
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
 * The phases of a line whose last phase that is not paid has an end of its own. Earlier phases end no later, and paid phases follow
 * only if they end later. `rule`: the rule for all lines in words, for a line to which it gives no end.
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
    ({ paid, until, untilAtMost }) => paid && (untilAtMost ?? until ?? ownDay) > ownDay,
  );
  const planOwnEnd = (phase: PlannedPhase, range: DayRange) =>
    planPhase(phase, { text: explainOwnEnd(ownEnd, phase, rule), range, url });

  return [
    ...earlierPhases.map((phase) =>
      hasEnded(phase, addDays(ownDay, 1)) ? phase : planOwnEnd(phase, limitEnd(phase, ownDay)),
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

/** `18 months, by the vendor; until 2026-12-31, by example.com: Moved.` A person's reason makes it a sentence: it has no terms. */
function explainOwnEnd({ until, reason, url }: OwnEnd, phase: PlannedPhase, rule: string): string {
  const byRule = phase.reason?.text ?? rule;
  const change = `${describeChange(phase, until)}, ${describeSource(url)}`;
  const end = reason === undefined ? change : `${change}: ${endSentence(reason)}`;
  return isSentence(byRule) ? `${byRule} ${endSentence(capitalise(end))}` : `${byRule}; ${end}`;
}

/** `extended to 2026-12-31`, where the rule gives an earlier end; `until 2026-12-31`, where its end is unknown or may be the same. */
function describeChange({ until, untilAtMost = until }: PlannedPhase, to: Day): string {
  if (to > (untilAtMost ?? to)) {
    return `extended to ${to}`;
  }

  return `${to < (until ?? to) ? 'shortened to' : 'until'} ${to}`;
}
