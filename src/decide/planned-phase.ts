import { dayAfter, type Day } from '../core/model/dates.ts';
import type { DayRange } from '../core/model/words.ts';
import type { Phase } from '../core/schemas/definition/phase.ts';
import type { Reason } from '../core/schemas/published/reason.ts';

/** A phase of a release line, with the reason for its end if it has one. */
export interface PlannedPhase extends Phase {
  readonly reason?: Reason | undefined;
}

export type NamedPhase = Pick<Phase, 'name' | 'paid'>;

/**
 * Why a phase ends, and its last day. Without a day, it is over. A text without a full stop is a sum of terms, each with its
 * origin; the end is its last term.
 */
export interface PhaseEnd {
  readonly text: string;
  readonly range: DayRange;
  readonly url?: string | undefined;
}

/** Its releases are deprecated from the day after. */
export function planPhase({ name, paid }: NamedPhase, end: PhaseEnd | undefined): PlannedPhase {
  const { from: until, atMost: untilAtMost } = end?.range ?? {};
  const isOver = end && until === undefined && untilAtMost === undefined ? true : undefined;
  const reason = end && policyReason(end.text, dayAfter(until), dayAfter(untilAtMost), end.url);

  return { name, until, untilAtMost, paid, isOver, reason };
}

/** A reason without a day applies to all days. */
export function policyReason(text: string, from?: Day, fromAtMost?: Day, url?: string): Reason {
  return { rule: 'support policy', text, from, fromAtMost, url };
}
