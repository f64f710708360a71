import type { PublishedChange } from '../../../core/schemas/published/changes-file.ts';
import type { JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import { describeEvent } from '../../../decide/event-words.ts';

/**
 * The published form of a journal's events, oldest first. An event depends only on earlier events, so published events never
 * change.
 */
export function toPublishedEvents(events: readonly JournalEvent[]): PublishedChange[] {
  // The first event names its component.
  const firstName = events[0]?.component ?? '';
  let name = firstName;
  return events.map(({ id, at, type, on, component: _, ...details }) => {
    if (type === 'renamed') {
      name = details.to ?? name;
    }

    const text = describeEvent({ at, type, on, ...details });
    return { id: `${firstName}/${id}`, at, type, on, component: name, ...details, text };
  });
}
