/** Entries about several components: of an edit, and of a run that added components. */
import { oldestFirst } from '../../../core/model/dates.ts';
import { chooseEditKey, createEditEntry } from '../../../core/model/edits.ts';
import type { NonEmpty } from '../../../core/model/objects.ts';
import type { JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import { formatCount } from '../../../core/text/wording.ts';
import { convertEdit, listChangeEntries, type ChangeEntry } from './change-entries.ts';
import { toPublishedEvents } from './published-events.ts';

/** Joins the entries about one edit, and those about components that one run added. Keeps the order. */
export function joinEntries(entries: readonly ChangeEntry[]): ChangeEntry[] {
  return Array.from(Map.groupBy(entries, chooseEntryKey).values(), (group) => {
    const [entry] = group;
    if (group.length === 1) {
      return entry;
    }

    return entry.edit === undefined ? joinAdded(group) : joinEdit(entry.edit, group);
  });
}

/** Equal for the entries of one edit in one run, and for those of components that one run added. All others differ. */
function chooseEntryKey(entry: ChangeEntry): unknown {
  return entry.type === 'added' ? entry.at : chooseEditKey(entry);
}

/** `entries`: one for each component, with the changes to it. */
function joinEdit(edit: string, entries: readonly ChangeEntry[]): ChangeEntry {
  const changes = entries.flatMap((entry) => entry.changes ?? []);
  return convertEdit(createEditEntry(edit, changes));
}

/** Has the id of the last component by name, whatever the order of the entries. */
function joinAdded(entries: NonEmpty<ChangeEntry>): ChangeEntry {
  const sorted = entries.toSorted((a, b) => oldestFirst(a.component, b.component));
  const { id, at, component, type } = sorted.at(-1)!;
  const components = sorted.map((entry) => entry.component);
  const sentences = sorted.map(({ text }) => text).sort();

  const releaseCount = sorted.reduce((sum, entry) => sum + (entry.releaseCount ?? 0), 0);
  const headline = `added with ${formatCount(releaseCount, 'release')}.`;
  const text = `${formatCount(components.length, 'component')} were ${headline}`;
  return { id, at, component, type, text, headline, group: { components, sentences } };
}

/** New events of several components in sentences, as readers get them. An edit is followed by its single changes. */
export function listAnnouncements(events: ReadonlyMap<string, readonly JournalEvent[]>): string[] {
  const entries: ChangeEntry[] = [];
  for (const [component, journal] of events) {
    const changes = toPublishedEvents(journal).map((change) => ({ ...change, component }));
    entries.push(...listChangeEntries(changes).reverse());
  }

  return joinEntries(entries).flatMap(({ component, type, text, group }) => {
    if (group) {
      return [text, ...group.sentences.map((sentence) => `  ${sentence}`)];
    }

    return [type === 'added' ? text : `${component}: ${text}`];
  });
}
