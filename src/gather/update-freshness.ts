import type { Day } from '../dates.ts';
import type { Definition } from '../model/definition.ts';
import { sourceIds } from '../model/source-id.ts';
import { toLine } from '../text.ts';
import type { Freshness, SourceFreshness } from '../model/freshness.ts';

export type SourceState =
  | { id: string; kind: 'answered'; pending: readonly string[] }
  | { id: string; kind: 'failed'; reason: string }
  | { id: string; kind: 'held'; reason: string };

/** Whether every source of a component has answered soundly on the day, so that a run that goes on need not ask again. */
export function isFinished({ sources }: Definition, known: Freshness, day: Day): boolean {
  return sourceIds(sources).every((id) => {
    const { answeredOn, failures, heldSince, pending } = known.sources[id] ?? {};
    return answeredOn === day && failures === undefined && heldSince === undefined && !pending;
  });
}

/**
 * What is remembered about the freshness of a component after a run. A day counts once: asking again on the same day
 * changes nothing but a failure that healed.
 */
export function updateFreshness(
  before: Freshness,
  states: readonly SourceState[],
  day: Day,
  isChanged: boolean,
): Freshness {
  const sources: Record<string, SourceFreshness> = {};
  for (const state of states) sources[state.id] = updateSource(before.sources[state.id], state, day);
  const isAnswered = states.some((state) => state.kind !== 'failed');
  const checkedOn = isAnswered ? day : before.checkedOn;
  const changedOn = isChanged ? day : before.changedOn;
  return {
    ...(checkedOn !== undefined && { checkedOn }),
    ...(changedOn !== undefined && { changedOn }),
    sources,
  };
}

function updateSource(before: SourceFreshness | undefined, state: SourceState, day: Day): SourceFreshness {
  const answeredOn = before?.answeredOn;
  switch (state.kind) {
    case 'answered':
      return { answeredOn: day, ...(state.pending.length > 0 && { pending: [...state.pending].sort() }) };
    case 'held':
      return {
        ...(answeredOn !== undefined && { answeredOn }),
        heldSince: before?.heldSince ?? day,
        reason: toLine(state.reason),
        ...(before?.pending && { pending: before.pending }),
      };
    case 'failed': {
      const counted = before?.failedOn === day ? before : undefined;
      const reason = toLine(state.reason);
      return {
        ...(answeredOn !== undefined && { answeredOn }),
        failures: counted?.failures ?? (before?.failures ?? 0) + 1,
        failedOn: day,
        reason: tellAgain(counted?.reason, reason),
        ...(before?.heldSince !== undefined && { heldSince: before.heldSince }),
        ...(before?.pending && { pending: before.pending }),
      };
    }
  }
}

/** The reason of today's earlier failure where it is the same: how long it took to fail is no news. */
function tellAgain(before: string | undefined, reason: string): string {
  return before !== undefined && withoutDurations(before) === withoutDurations(reason) ? before : reason;
}

function withoutDurations(reason: string): string {
  return reason.replaceAll(/(?:under )?\d+ m?s\b/g, '');
}
