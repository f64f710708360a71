import type { Wait } from '../../core/schemas/recorded/waits.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import type { DraftEvent, JournalState } from '../../decide/fold-journal.ts';
import { describeChange } from '../journal/events/describe-change.ts';
import { continueWait, createDecisionId, type WaitingChange } from './rules/waiting-change.ts';
import { findLosses, type ChangeStep } from './rules/losses.ts';
import { applyEvents } from './rules/reader-state.ts';

/** One component before and after a change, and what its readers were told. */
export interface ComponentChange extends Omit<ChangeStep, 'events' | 'newState' | 'policy'> {
  name: string;
  /** The ids of decisions that no run has used. */
  accepted: ReadonlySet<string>;
  /** The changes that waited after the last run. */
  waits: readonly Wait[];
  /** The sources, or the edited files with their commit. */
  causes: readonly string[];
}

export interface Verdict {
  /** The events that readers would get. */
  events: readonly DraftEvent[];
  /** The state after the events. */
  newState: JournalState;
  /** Present if the component waits. */
  wait?: WaitingChange;
  /** The decision that let losses through; empty if there was none. */
  used: readonly string[];
}

/** Compares a component with what its readers were told. It waits as a whole if they would lose too much. */
export function judgeChange(change: ComponentChange): Verdict {
  const { name, day, oldState, before, after } = change;
  const events = describeChange(oldState, after, day);
  const newState = applyEvents(oldState, events);
  // A change must not switch the policy that it is judged by.
  const policy = (before ?? after)?.definition.support?.policy;
  const losses = findLosses({ ...change, events, newState, policy });
  if (losses.length === 0) {
    return { events, newState, used: [] };
  }

  const lostItems = losses.flatMap((loss) => loss.items).map((item) => toLine(item));
  const items = [...new Set(lostItems)].sort();
  const id = createDecisionId(name, ['change', items]);
  const reason = toLine(losses.map((loss) => loss.reason).join('; '));
  const causes = [...change.causes];
  const { wait, decision } = continueWait(
    { id, component: name, kind: 'change', since: day, causes, reason, items },
    change.waits,
    change.accepted,
  );

  return decision === undefined
    ? { events, newState, used: [], wait }
    : { events, newState, used: [decision] };
}
