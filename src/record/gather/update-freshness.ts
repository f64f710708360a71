import type { Day } from '../../core/dates.ts';
import { defined, pick, toLine } from '../../core/text.ts';
import type { Merged } from './merge.ts';
import type { Freshness, SourceFreshness } from '../../core/schemas/freshness.ts';
import { digestListed } from './recorded-release.ts';

/** The part of an answer that was accepted. */
export interface Taken {
  definition: string;
  /** Versions whose day could not be asked for. */
  pending: readonly string[];
  isAccepted: boolean;
}

export type SourceState =
  | { id: string; kind: 'answered'; taken: Taken }
  | { id: string; kind: 'failed'; reason: string }
  /** Part of the answer waits for a person; `taken` where the rest was accepted. */
  | { id: string; kind: 'held'; reason: string; held: string; taken?: Taken };

/**
 * The freshness of a component after a run. A day counts once: asking again on the same day
 * changes nothing but a failure that healed.
 */
export function updateFreshness(
  before: Freshness,
  states: readonly SourceState[],
  day: Day,
  { missing, unsteady, releases }: Pick<Merged, 'missing' | 'unsteady' | 'releases'>,
): Freshness {
  const sources: Record<string, SourceFreshness> = {};
  for (const state of states) {
    const source = updateSource(before.sources[state.id], state, day);
    const isTaken = source.answeredOn === day;
    sources[state.id] = isTaken ? { ...source, listed: digestListed(releases, state.id, day) } : source;
  }
  const isAnswered = states.some((state) => state.kind !== 'failed');
  const checkedOn = isAnswered ? day : before.checkedOn;
  return defined({
    checkedOn,
    missing: unlessEmpty(missing),
    unsteady: unlessEmpty(unsteady),
    sources,
  });
}

function unlessEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}

/** The keys that stay while the answers of a source are held or fail. */
const remembered = ['answeredOn', 'definition', 'settledOn', 'listed', 'pending'] as const;

function updateSource(before: SourceFreshness = {}, state: SourceState, day: Day): SourceFreshness {
  const isTaken = state.kind !== 'failed' && state.taken !== undefined;
  const known = isTaken ? afterAnswer(before, state.taken!, day) : pick(before, remembered);
  if (state.kind === 'answered') return defined(known);
  const reason = toLine(state.reason);
  if (state.kind === 'held')
    return defined({ ...known, heldSince: before.heldSince ?? day, held: state.held, reason });
  const isCounted = before.failedOn === day;
  return defined({
    ...known,
    failures: isCounted && before.failures ? before.failures : (before.failures ?? 0) + 1,
    failedOn: day,
    reason: isCounted ? sameReason(before.reason, reason) : reason,
    heldSince: before.heldSince,
    held: before.held,
  });
}

function afterAnswer(before: SourceFreshness, { definition, pending, isAccepted }: Taken, day: Day) {
  const isSame = before.answeredOn !== undefined && before.definition === definition;
  return {
    answeredOn: day,
    definition,
    settledOn: isSame && !isAccepted ? before.settledOn : day,
    pending: pending.length > 0 ? [...pending].sort() : undefined,
  };
}

/** Today's earlier reason where it differs only in how long the failure took, so that a second run changes nothing. */
function sameReason(before: string | undefined, reason: string): string {
  return before !== undefined && withoutDurations(before) === withoutDurations(reason) ? before : reason;
}

function withoutDurations(reason: string): string {
  return reason.replaceAll(/(?:under )?\d+ m?s\b/g, '');
}
