import type { Wait } from '../../core/schemas/recorded/waits.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import type { DraftEvent, JournalState } from '../../decide/fold-journal.ts';
import { describeChange } from '../journal/events/describe-change.ts';
import {
  continueWait,
  createDecisionId,
  type WaitingChange,
  type WaitOrDecision,
} from './rules/waiting-change.ts';
import { findLosses, type ChangeStep } from './rules/losses.ts';
import { applyEvents } from './rules/reader-state.ts';

/** One component before and after a change, and what its readers were told. */
export interface ComponentChange extends Omit<ChangeStep, 'newState' | 'policy'> {
  name: string;
  /** The ids of decisions that no run has used. */
  accepted: ReadonlySet<string>;
  /** The changes that waited after the last run. */
  waits: readonly Wait[];
  /** The sources, or the edited files with their commit. */
  causes: readonly string[];
}

/** Whether the component waits, or which decision let losses through. */
export interface Verdict extends WaitOrDecision {
  /** The events that readers would get. */
  events: readonly DraftEvent[];
  /** The state after the events. */
  newState: JournalState;
}

/** Compares a component with what its readers were told. It waits as a whole if they would lose too much. */
export function judgeChange(change: ComponentChange): Verdict {
  const { name, day, oldState, before, after } = change;
  const events = describeChange(oldState, after, day);
  const newState = applyEvents(oldState, events);
  // A change must not switch the policy that it is judged by.
  const policy = (before ?? after)?.definition.support?.policy;
  const losses = findLosses({ ...change, newState, policy });
  if (losses.length === 0) {
    return { events, newState, used: [] };
  }

  const lostItems = losses.flatMap((loss) => loss.items).map((item) => toLine(item));
  const items = [...new Set(lostItems)].sort();
  const wait: WaitingChange = {
    id: createDecisionId(name, ['change', items]),
    component: name,
    kind: 'change',
    since: day,
    causes: [...change.causes],
    reason: toLine(losses.map((loss) => loss.reason).join('; ')),
    items,
  };
  return { events, newState, ...continueWait(wait, change.waits, change.accepted) };
}
