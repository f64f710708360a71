import type { Day } from '../../core/model/dates.ts';
import type { JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { formatCount } from '../../core/text/wording.ts';
import type { Component } from '../../decide/component.ts';
import { foldJournal } from '../../decide/fold-journal.ts';
import { describeChange, numberEvents } from '../../record/journal/events/describe-change.ts';

/**
 * The events that a run would record for the change alone, by component: those that it would record without the change are left out.
 * `removed`: a sentence for each component that is no longer there.
 */
export function listIndexChanges(
  before: readonly Component[],
  after: readonly Component[],
  day: Day,
) {
  const remaining = new Map(before.map((component) => [component.name, component]));
  const events = new Map<string, readonly JournalEvent[]>();

  for (const component of after) {
    const { name, definition } = component;
    const formerNames = [name, ...(definition.renamedFrom ?? []).toReversed()];
    const formerName = formerNames.find((candidate) => remaining.has(candidate)) ?? name;
    const former = remaining.get(formerName);
    const journal = former ? appendEvents(former.journal, former, day) : [];
    const newEvents = appendEvents(journal, component, day).slice(journal.length);
    remaining.delete(formerName);
    if (newEvents.length > 0) {
      events.set(name, newEvents);
    }
  }

  const removed = Array.from(
    remaining.values(),
    ({ name, judgement: { releases } }) =>
      `${name}: no longer there, with its ${formatCount(releases.length, 'release')}.`,
  );
  return { events, removed };
}

/** A journal with the events that a run would append. */
function appendEvents(
  journal: readonly JournalEvent[],
  component: Component,
  day: Day,
): readonly JournalEvent[] {
  const drafts = describeChange(foldJournal(journal), component, day);
  return [...journal, ...numberEvents(journal, drafts, `${day}T00:00:00.000Z`, component)];
}
