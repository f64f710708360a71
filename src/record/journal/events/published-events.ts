// Journal events for programs, each by itself, and for people, in entries that may stand for several events.

import { oldestFirst } from '../../../core/model/dates.ts';
import {
  chooseEditKey,
  createEditEntry,
  foldEdits,
  listSentences,
  type EditEntry,
} from '../../../core/model/edits.ts';
import { dropUndefined, type NonEmpty } from '../../../core/model/objects.ts';
import type { PublishedChange } from '../../../core/schemas/published/changes-file.ts';
import type { EventType, JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import { describeSize, describeEvent, describeMany } from '../../../decide/event-words.ts';

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

/** An entry in a list for people: one event, or several of one type in a run. */
export interface ListedChange {
  /** The id of its last event, which is unique and permanent. */
  id: string;
  at: string;
  component: string;
  type: EventType | 'added' | 'edited';
  text: string;
  /** A shorter text for lists: without the reason, or for `added` without the name. */
  headline: string;
  version?: string;
  line?: string;
  url?: string;
  /** The versions and lines of several events, in the order of the journal. */
  subjects?: readonly string[];
  /** The edit that caused the events. */
  edit?: string;
  /** The events of the edit. */
  changes?: readonly PublishedChange[];
  /** The single changes behind an entry that may concern several components. */
  group?: ChangeGroup;
}

export interface ChangeGroup {
  /** In alphabetical order. */
  components: readonly string[];
  sentences: readonly string[];
}

/** More events of one type in a run share an entry. */
const maxSingleEntries = 20;

/** The events of a component for people, newest first. Its initial events share an entry. */
export function listChanges(events: readonly PublishedChange[]): ListedChange[] {
  const presentLines: LinesByVersion = new Map();
  for (const { version, line, to, field, type } of events) {
    if (type === 'released' || field === 'line') {
      presentLines.set(version, line ?? to);
    }
  }

  return [...Map.groupBy(events, ({ at }) => at).values()]
    .flatMap((run) => (run[0].initial ? [combineInitial(run)] : listEntries(run, presentLines)))
    .reverse();
}

type LinesByVersion = Map<string | undefined, string | undefined>;

/** The entries of a run: of single events, of many events of one type, and of edits. */
function listEntries(
  run: readonly PublishedChange[],
  presentLines: LinesByVersion,
): ListedChange[] {
  const events = run.filter(
    (event) => event.edit === undefined && !isImplied(event, run, presentLines),
  );
  const byType = Map.groupBy(events, ({ type }) => type);

  // A combined entry has the position of its first event.
  const groups = Map.groupBy(events, (event) =>
    byType.get(event.type)!.length > maxSingleEntries ? event.type : event,
  );
  const entries = Array.from(groups.values(), (group) =>
    group.length > 1 ? combineEvents(group) : createEntry(group[0]),
  );
  const edits = foldEdits(run).filter((entry) => entry.type === 'edited');
  return [...entries, ...edits.map(convertEdit)];
}

/** Whether another event of the run on the same line implies this one. */
function isImplied(
  { type, line }: PublishedChange,
  run: readonly PublishedChange[],
  presentLines: LinesByVersion,
): boolean {
  const causes = run.filter((cause) => (cause.line ?? presentLines.get(cause.version)) === line);
  switch (type) {
    case 'support-announced':
      return causes.some((cause) => cause.type === 'released');
    case 'support-ended':
      return causes.some(({ type, rule }) => type === 'deprecated' && rule === 'support policy');
    default:
      return false;
  }
}

function createEntry(event: PublishedChange): ListedChange {
  const { id, at, component, type, text, version, line, url } = event;

  // The reason of an advisory is its summary, which a list needs.
  const headline = type.startsWith('advisory-')
    ? text
    : describeEvent({ ...event, reason: undefined });
  return dropUndefined({ id, at, component, type, text, headline, version, line, url });
}

function combineInitial(run: NonEmpty<PublishedChange>): ListedChange {
  const releases = run.filter(({ type }) => type === 'released');
  const { size, range, subjects } = summarise('added', releases.length > 0 ? releases : run);
  const { id, at, component } = run.at(-1)!;
  const headline = `added with ${size}${range && `: ${range}`}.`;
  const text = `${component} was ${headline}`;
  return { id, at, component, type: 'added', text, headline, subjects };
}

function combineEvents(events: NonEmpty<PublishedChange>): ListedChange {
  const { id, at, component, type } = events.at(-1)!;
  const { size, range, subjects } = summarise(type, events);
  const text = describeMany(type, size, range);
  return { id, at, component, type, text, headline: text, subjects };
}

/** The number of events in words, their subjects, and a range from the first to the last subject. */
function summarise(type: EventType | 'added', events: readonly PublishedChange[]) {
  const subjects = [
    ...new Set(events.map(({ version, line, advisory = '' }) => version ?? line ?? advisory)),
  ];
  const noun = events.some(({ version }) => version !== undefined) ? 'release' : 'release line';
  const range =
    subjects.length < 2 ? formatList(subjects, 1) : `from ${subjects[0]} to ${subjects.at(-1)}`;
  return { size: describeSize(type, events.length, noun), range, subjects };
}

function convertEdit(entry: EditEntry): ListedChange {
  const { components, ...shared } = entry;
  const group = { components, sentences: listSentences(entry) };
  return { ...shared, component: components[0]!, headline: shared.text, group };
}

/** Joins the entries of several components about one edit, and those about components that a run added. Keeps the order. */
export function joinEntries(entries: readonly ListedChange[]): ListedChange[] {
  return Array.from(Map.groupBy(entries, chooseEntryKey).values(), (group) => {
    const [entry] = group;
    if (group.length === 1) {
      return entry;
    }

    return entry.edit === undefined ? joinAdded(group) : joinEdit(entry.edit, group);
  });
}

/** Equal only for the entries of one edit in one run, and for those of components that a run added. */
function chooseEntryKey(entry: ListedChange): unknown {
  return entry.type === 'added' ? entry.at : chooseEditKey(entry);
}

/** Each entry has only the events of its component. */
function joinEdit(edit: string, entries: readonly ListedChange[]): ListedChange {
  const events = entries.flatMap(({ changes = [] }) => changes);
  return convertEdit(createEditEntry(edit, events));
}

/** The last event is that of the last component by name, as in the order of publication. */
function joinAdded(entries: NonEmpty<ListedChange>): ListedChange {
  const sorted = entries.toSorted((a, b) => oldestFirst(a.component, b.component));
  const { id, at, component, type } = sorted.at(-1)!;
  const components = sorted.map((entry) => entry.component);
  const sentences = sorted.map(({ text }) => text).sort();
  const releases = sorted.reduce((sum, { subjects = [] }) => sum + subjects.length, 0);
  const headline = `added with ${formatCount(releases, 'release')}.`;
  const text = `${formatCount(components.length, 'component')} were ${headline}`;
  return { id, at, component, type, text, headline, group: { components, sentences } };
}

/** The new events in sentences, as readers get them. An edit is followed by its single changes. */
export function listAnnouncements(events: ReadonlyMap<string, readonly JournalEvent[]>): string[] {
  const journals = Array.from(events, ([component, journal]) =>
    toPublishedEvents(journal).map((event) => ({ ...event, component })),
  );
  const entries = joinEntries(journals.flatMap((journal) => listChanges(journal).reverse()));

  return entries.flatMap(({ component, type, text, group }) => {
    if (group) {
      return [text, ...group.sentences.map((sentence) => `  ${sentence}`)];
    }

    return [type === 'added' ? text : `${component}: ${text}`];
  });
}
