import type { Day } from '../dates.ts';
import { defined, toLine } from '../text.ts';
import type { Freshness, SourceFreshness } from '../model/freshness.ts';

export type SourceState =
  | { id: string; kind: 'answered'; pending: readonly string[] }
  | { id: string; kind: 'failed'; reason: string }
  | { id: string; kind: 'held'; reason: string };

/**
 * What is remembered about the freshness of a component after a run. A day counts once: asking again on the same day
 * changes nothing but a failure that healed.
 */
export function updateFreshness(before: Freshness, states: readonly SourceState[], day: Day): Freshness {
  const sources: Record<string, SourceFreshness> = {};
  for (const state of states) sources[state.id] = updateSource(before.sources[state.id], state, day);
  const isAnswered = states.some((state) => state.kind !== 'failed');
  const checkedOn = isAnswered ? day : before.checkedOn;
  return defined({ checkedOn, sources });
}

function updateSource(before: SourceFreshness | undefined, state: SourceState, day: Day): SourceFreshness {
  const answeredOn = before?.answeredOn;
  switch (state.kind) {
    case 'answered':
      return defined({
        answeredOn: day,
        pending: state.pending.length > 0 ? [...state.pending].sort() : undefined,
      });
    case 'held':
      return defined({
        answeredOn,
        heldSince: before?.heldSince ?? day,
        reason: toLine(state.reason),
        pending: before?.pending,
      });
    case 'failed': {
      const counted = before?.failedOn === day ? before : undefined;
      const reason = toLine(state.reason);
      return defined({
        answeredOn,
        failures: counted?.failures ?? (before?.failures ?? 0) + 1,
        failedOn: day,
        reason: sameReason(counted?.reason, reason),
        heldSince: before?.heldSince,
        pending: before?.pending,
      });
    }
  }
}

/** Today's earlier reason where it differs only in how long the failure took, so that a second run changes nothing. */
function sameReason(before: string | undefined, reason: string): string {
  return before !== undefined && withoutDurations(before) === withoutDurations(reason) ? before : reason;
}

function withoutDurations(reason: string): string {
  return reason.replaceAll(/(?:under )?\d+ m?s\b/g, '');
}
