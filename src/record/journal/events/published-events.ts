import { foldEdits, listSentences, type EditEntry } from '../../../core/model/edits.ts';
import { dropUndefined } from '../../../core/model/objects.ts';
import type { PublishedChange } from '../../../core/schemas/published/small-files.ts';
import type { EventType, JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import { describeSize, describeEvent, describeMany } from '../../../decide/event-words.ts';

/**
 * The published form of a journal's events, oldest first. An event depends only on earlier events, so published events never
 * change.
 */
export function toPublishedEvents(events: readonly JournalEvent[]): PublishedChange[] {
  const first = events[0]?.component ?? '';
  let name = first;
  return events.map(({ id, at, type, on, component: _, ...details }) => {
    if (type === 'renamed') {
      name = details.to ?? name;
    }

    const text = describeEvent({ at, type, on, ...details });
    return { id: `${first}/${id}`, at, type, on, component: name, ...details, text };
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
  /** The text without the reason. */
  headline: string;
  version?: string;
  line?: string;
  url?: string;
  /** The versions and lines of several events, in the order of the journal. */
  subjects?: readonly string[];
  /** The edit that caused the events. */
  edit?: EditEntry;
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
  const lines: LinesByVersion = new Map();
  for (const { version, line, to, field, type } of events) {
    if (type === 'released' || field === 'line') {
      lines.set(version, line ?? to);
    }
  }

  return [...Map.groupBy(events, ({ at }) => at).values()]
    .flatMap((run) => (run[0].initial ? [combineInitial(run)] : listRun(run, lines)))
    .reverse();
}

/** The present line of each version. */
type LinesByVersion = Map<string | undefined, string | undefined>;

function listRun(run: readonly PublishedChange[], lines: LinesByVersion): ListedChange[] {
  const events = run.filter((event) => event.edit === undefined && !isImplied(event, run, lines));
  const combined = new Map<EventType, ListedChange>();
  for (const [type, eventsOfType] of Map.groupBy(events, ({ type }) => type)) {
    if (eventsOfType.length > maxSingleEntries) {
      combined.set(type, combineEvents(type, eventsOfType));
    }
  }

  // A combined entry has the position of its first event.
  const entries = new Set(events.map((event) => combined.get(event.type) ?? listEvent(event)));
  return [...entries, ...listEdits(run)];
}

/** Whether another event of the run on the same line implies this one. */
function isImplied(
  event: PublishedChange,
  run: readonly PublishedChange[],
  lines: LinesByVersion,
): boolean {
  return run.some(
    (cause) => implies(cause, event) && (cause.line ?? lines.get(cause.version)) === event.line,
  );
}

function implies(cause: PublishedChange, { type }: PublishedChange): boolean {
  switch (type) {
    case 'support-announced':
      return cause.type === 'released';
    case 'support-ended':
      return cause.type === 'deprecated' && cause.rule === 'support policy';
    default:
      return false;
  }
}

function listEvent(event: PublishedChange): ListedChange {
  const { id, at, component, type, text, version, line, url } = event;

  // The text of an advisory is its reason.
  const headline = type.startsWith('advisory')
    ? text
    : describeEvent({ ...event, reason: undefined });
  return dropUndefined({ id, at, component, type, text, headline, version, line, url });
}

export type NonEmpty<T> = readonly [T, ...T[]];

function combineInitial(run: NonEmpty<PublishedChange>): ListedChange {
  const releases = run.filter(({ type }) => type === 'released');
  const { size, range, subjects } = summarise('added', releases.length > 0 ? releases : run);
  const { id, at, component } = run.at(-1) ?? run[0];
  const headline = `added with ${size}${range && `: ${range}`}.`;
  const text = `${component} was ${headline}`;
  return { id, at, component, type: 'added', text, headline, subjects };
}

function combineEvents(type: EventType, events: NonEmpty<PublishedChange>): ListedChange {
  const { size, range, subjects } = summarise(type, events);
  const { id, at, component } = events.at(-1) ?? events[0];
  const text = describeMany(type, size, range);
  return { id, at, component, type, text, headline: text, subjects };
}

/** The number of events in words, the first and the last of their subjects, and all subjects. */
function summarise(type: EventType | 'added', events: readonly PublishedChange[]) {
  const subjects = [
    ...new Set(events.map(({ version, line, advisory = '' }) => version ?? line ?? advisory)),
  ];
  const noun = events.some(({ version }) => version !== undefined) ? 'release' : 'release line';
  const range =
    subjects.length < 2 ? formatList(subjects, 1) : `from ${subjects[0]} to ${subjects.at(-1)}`;
  return { size: describeSize(type, events.length, noun), range, subjects };
}

/** An entry for each edit that events name. */
function listEdits(events: readonly PublishedChange[]): ListedChange[] {
  return foldEdits(events)
    .filter((entry) => entry.type === 'edited')
    .map(toListedChange);
}

function toListedChange(edit: EditEntry): ListedChange {
  const { id, at, type, text, components } = edit;
  const [component = ''] = components;
  const group = { components, sentences: listSentences(edit) };
  return { id, at, component, type, text, headline: text, edit, group };
}

/** Joins entries that concern several components, in order: those of one edit, and those of components that a run added. */
export function joinEntries(changes: readonly ListedChange[]): ListedChange[] {
  const groups = Map.groupBy(changes, (change) => {
    const { at, type, edit } = change;
    if (edit) {
      return `${at} ${edit.edit}`;
    }

    return type === 'added' ? at : change;
  });

  return [...groups.values()].flatMap((group) => {
    const edited = group.flatMap(({ edit }) => edit?.changes ?? []);
    if (edited.length > 0) {
      return listEdits(edited);
    }

    return group.length > 1 ? [combineAdded(group)] : group;
  });
}

function combineAdded(changes: NonEmpty<ListedChange>): ListedChange {
  const [{ id, at, component, type }] = changes;
  const components = changes.map((change) => change.component).sort();
  const sentences = changes.map(({ text }) => text).sort();
  const releases = changes.reduce((sum, { subjects = [] }) => sum + subjects.length, 0);
  const headline = `added with ${formatCount(releases, 'release')}.`;
  const text = `${formatCount(components.length, 'component')} were ${headline}`;
  return { id, at, component, type, text, headline, group: { components, sentences } };
}

/** The sentences that readers would be told. An edit is followed by its single changes. */
export function listAnnouncements(events: ReadonlyMap<string, readonly JournalEvent[]>): string[] {
  const journals = Array.from(events, ([component, journal]) =>
    toPublishedEvents(journal).map((event) => ({ ...event, component })),
  );
  const changes = joinEntries(journals.flatMap((journal) => listChanges(journal).reverse()));

  return changes.flatMap(({ component, type, text, group }) => {
    if (group) {
      return [text, ...group.sentences.map((sentence) => `  ${sentence}`)];
    }

    return [type === 'added' ? text : `${component}: ${text}`];
  });
}
