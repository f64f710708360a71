import type { Day } from '../../core/model/dates.ts';
import type { JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { counted } from '../../core/text/text.ts';
import type { Component } from '../../decide/component.ts';
import { foldJournal } from '../../decide/fold-journal.ts';
import { describeChange, numberEvents } from '../../record/journal/events/describe-change.ts';

interface IndexChanges {
  /** The events that a run would record of the change, by component. */
  readonly events: ReadonlyMap<string, readonly JournalEvent[]>;
  /** A sentence for each component that is no longer there. */
  readonly removed: readonly string[];
}

/** The difference between what readers were told, with what a run before the change would add, and what they would be told. */
export function listIndexChanges(
  before: readonly Component[],
  after: readonly Component[],
  day: Day,
): IndexChanges {
  const at = `${day}T00:00:00.000Z`;
  const remaining = new Map(before.map((component) => [component.name, component]));
  const events = new Map<string, readonly JournalEvent[]>();

  for (const component of after) {
    const { renamedFrom = [] } = component.definition;
    const name = [component.name, ...renamedFrom.toReversed()].find((one) => remaining.has(one));
    const former = remaining.get(name ?? '');
    const recorded = former ? recordChange(former.journal, former, day, at) : [];
    const all = recordChange(recorded, component, day, at);
    remaining.delete(name ?? '');

    if (all.length > recorded.length) {
      events.set(component.name, all.slice(recorded.length));
    }
  }

  const removed = Array.from(remaining.values(), ({ name, judgement }) => {
    return `${name}: no longer there, with its ${counted(judgement.releases.length, 'release')}.`;
  });
  return { events, removed };
}

/** A journal with the events that a run would append. */
function recordChange(
  journal: readonly JournalEvent[],
  component: Component,
  day: Day,
  at: string,
): readonly JournalEvent[] {
  const drafts = describeChange(foldJournal(journal), component, day);
  return [...journal, ...numberEvents(journal, drafts, at, component)];
}
