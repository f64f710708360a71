import type { Day } from '../../../core/model/dates.ts';
import { dropUndefined } from '../../../core/model/objects.ts';
import { toLine } from '../../../core/text/foreign-text.ts';
import { applyEvent, type DraftEvent, type JournalState } from '../../../decide/fold-journal.ts';
import type { Judged } from '../../../decide/judge.ts';

/** What readers were told beside what is judged now. */
export interface Comparison {
  /** As of the last event that was emitted. After `comparePresence`, it has each version that is judged. */
  state: JournalState;
  judged: Judged;
  day: Day;
  /** Adds an event, by default of that day, and applies it to the state. */
  emit: Emit;
}

export type Emit = (draft: Omit<DraftEvent, 'on'> & { on?: Day }) => void;

/** Adds events to a list, and applies them to a state. */
export function createEmit(state: JournalState, day: Day, drafts: DraftEvent[]): Emit {
  return (draft) => {
    const event = dropUndefined({ on: day, ...draft, reason: cutReason(draft.reason) });
    drafts.push(event);
    applyEvent(state, event);
  };
}

/** As one line of the journal; undefined where nothing visible is left. */
export function cutReason(text = ''): string | undefined {
  return toLine(text) || undefined;
}
