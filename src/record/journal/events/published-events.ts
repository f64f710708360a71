import { addDays, cutDay, newestFirst, oldestFirst, type Day } from '../../../core/model/dates.ts';
import { foldEdits, listSentences, type EditEntry } from '../../../core/model/edits.ts';
import { dropUndefined } from '../../../core/model/objects.ts';
import type { PublishedChange } from '../../../core/schemas/published/small-files.ts';
import type { EventType, JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { describeSize, describeEvent, describeMany } from '../../../decide/event-words.ts';
import { mergeRecentReleases, type RecentRelease } from '../../../decide/recent.ts';

/**
 * The published form of a journal's events, oldest first. An event depends only on earlier events, so published events never
 * change.
 */
export function toPublishedEvents(events: readonly JournalEvent[]): PublishedChange[] {
  const first = events[0]?.component ?? '';
  let name = first;
  return events.map(({ id, at, type, on, component: _, ...rest }) => {
    if (type === 'renamed') {
      name = rest.to ?? name;
    }

    const text = describeEvent({ at, type, on, ...rest });
    return { id: `${first}/${id}`, at, type, on, component: name, ...rest, text };
  });
}

/** An entry in a list for people: one event, or similar events of a run. */
export interface ListedChange {
  /** The id of its last event, which is unique and permanent. */
  readonly id: string;
  readonly at: string;
  readonly component: string;
  readonly type: EventType | 'added' | 'edited';
  readonly text: string;
  /** The text without the reason. */
  readonly headline: string;
  readonly version?: string;
  readonly line?: string;
  readonly url?: string;
  /** The versions and lines of several events, in the order of the journal. */
  readonly subjects?: readonly string[];
  /** The edit that caused the events. */
  readonly edit?: EditEntry;
  /** The single changes behind an entry that may concern several components. */
  readonly group?: ChangeGroup;
}

export interface ChangeGroup {
  /** In alphabetical order. */
  readonly components: readonly string[];
  readonly sentences: readonly string[];
}

/** More events of one type in a run share an entry. */
const maxApart = 20;

/** The events of a component for people, newest first. Its initial events share an entry. */
export function listChanges(events: readonly PublishedChange[]): ListedChange[] {
  const lines = new Map(
    events.map(({ version = '', line, to, field, type }) =>
      type === 'released' || field === 'line' ? [version, line ?? to] : ['', undefined],
    ),
  );
  return [...Map.groupBy(events, ({ at }) => at).values()]
    .flatMap((run) => listRun(run, lines))
    .reverse();
}

type Lines = ReadonlyMap<string, string | undefined>;

/** Whether to omit an event because another event of the run implies it. */
function isImplied({ type, line }: PublishedChange, run: readonly PublishedChange[], lines: Lines) {
  const isOfLine = (other: PublishedChange) =>
    (other.line ?? lines.get(other.version ?? '')) === line;
  if (type === 'support-announced') {
    return run.some((other) => other.type === 'released' && isOfLine(other));
  }

  if (type === 'support-ended') {
    return run.some(
      (other) => other.type === 'deprecated' && other.rule === 'support policy' && isOfLine(other),
    );
  }

  return false;
}

function listRun(
  run: readonly [PublishedChange, ...PublishedChange[]],
  lines: Lines,
): ListedChange[] {
  if (run[0].initial) {
    const releases = run.filter(({ type }) => type === 'released');
    return [combine('added', releases.length > 0 ? releases : run, run)];
  }

  const edits = foldEdits(run.filter(({ edit }) => edit !== undefined))
    .filter((entry) => entry.type === 'edited')
    .map((entry) => listEdit(entry));
  const events = run.filter((event) => event.edit === undefined && !isImplied(event, run, lines));
  const byType = Map.groupBy(events, ({ type }) => type);
  const shownTypes = new Set<EventType>();

  const entries = events
    .map((event): ListedChange | undefined => {
      const similar = byType.get(event.type)!;
      if (similar.length <= maxApart) {
        return listEvent(event);
      }
      if (shownTypes.has(event.type)) {
        return undefined;
      }

      shownTypes.add(event.type);
      return combine(event.type, similar, similar);
    })
    .filter((value) => value !== undefined);

  return [...entries, ...edits];
}

function listEdit(edit: EditEntry): ListedChange {
  const { id, at, type, text, components } = edit;
  const group = { components, sentences: listSentences(edit) };
  return { id, at, component: components[0]!, type, text, headline: text, edit, group };
}

/** Joins entries that concern several components, in order: those of one edit, and those of components that a run added. */
export function joinEntries(changes: readonly ListedChange[]): ListedChange[] {
  return joinAdded(joinEdits(changes));
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

function joinAdded(changes: readonly ListedChange[]): ListedChange[] {
  const groups = Map.groupBy(changes, (change) => (change.type === 'added' ? change.at : change));
  return Array.from(groups.values(), (group) =>
    group.length > 1 ? combineAdded(group) : group[0],
  );
}

function combineAdded(changes: readonly [ListedChange, ...ListedChange[]]): ListedChange {
  const [{ id, at, component, type }] = changes;
  const components = changes.map((change) => change.component).sort();
  const sentences = changes.map(({ text }) => text).sort();
  const releases = changes.reduce((sum, { subjects = [] }) => sum + subjects.length, 0);
  const headline = `added with ${formatCount(releases, 'release')}.`;
  const text = `${formatCount(components.length, 'component')} were ${headline}`;
  return { id, at, component, type, text, headline, group: { components, sentences } };
}

function joinEdits(changes: readonly ListedChange[]): ListedChange[] {
  const events = changes.flatMap(({ edit }) => edit?.changes ?? []);
  const entries = foldEdits(events).filter((entry) => entry.type === 'edited');
  const joinKey = ({ at, edit }: EditEntry) => `${at} ${edit}`;
  const byKey = new Map(entries.map((entry) => [joinKey(entry), listEdit(entry)]));

  return changes
    .map((change) => {
      if (!change.edit) {
        return change;
      }

      const key = joinKey(change.edit);
      const entry = byKey.get(key);
      byKey.delete(key);
      return entry;
    })
    .filter((value) => value !== undefined);
}

function listEvent(event: PublishedChange): ListedChange {
  const { id, at, component, type, text, version, line, url } = event;

  // The text of an advisory is its reason.
  const headline = type.startsWith('advisory')
    ? text
    : describeEvent({ ...event, reason: undefined });
  return dropUndefined({ id, at, component, type, text, headline, version, line, url });
}

function combine(
  type: EventType | 'added',
  changes: readonly PublishedChange[],
  allChanges: readonly PublishedChange[],
): ListedChange {
  const { id, at, component } = allChanges.at(-1)!;
  const subjects = [
    ...new Set(changes.map(({ version, line, advisory = '' }) => version ?? line ?? advisory)),
  ];
  const noun = changes.some(({ version }) => version !== undefined) ? 'release' : 'release line';
  const size = describeSize(type, changes.length, noun);
  const range =
    subjects.length < 2 ? formatList(subjects, 1) : `from ${subjects[0]} to ${subjects.at(-1)}`;
  const headline =
    type === 'added'
      ? `added with ${size}${range && `: ${range}`}.`
      : describeMany(type, size, range);
  const text = type === 'added' ? `${component} was ${headline}` : headline;

  return { id, at, component, type, text, headline, subjects };
}

/** News of a component on a day: new releases or a change. */
export interface IndexNews {
  readonly day: Day;
  readonly component: string;
  readonly title: string;
  readonly kind: ListedChange['type'];
  /** The new releases, the greatest first. */
  readonly released: readonly RecentRelease[];
  /** The change in a sentence, without its reason; empty for releases. */
  readonly text: string;
  /** The single changes of an edit. */
  readonly behind?: readonly string[] | undefined;
  /** The newest of the changes; absent for releases. */
  readonly change?: ListedChange;
}

/** More changes than this of one component, type and day share a sentence. */
const maxListed = 3;

/** How many days after its release a version may be recorded without separate news. */
const soonDays = 7;

/**
 * Releases by release day and changes by the day they were recorded; newest day first, then by component. A release that was
 * recorded soon after it came out appears once.
 */
export function listIndexNews(
  summaries: readonly ComponentSummary[],
  changes: readonly ListedChange[],
): IndexNews[] {
  const titles = new Map(summaries.map(({ name, definition }) => [name, definition.title]));
  const releases = mergeRecentReleases(summaries);
  const days = new Map(releases.map((release) => [createKey(release), release.day]));

  const isSoon = (change: ListedChange) => {
    const day = change.type === 'released' ? days.get(createKey(change)) : undefined;
    return day !== undefined && day >= addDays(cutDay(change.at), -soonDays);
  };

  const byDay = Map.groupBy(releases, ({ day, component }) => `${day} ${component}`);
  const groups = Map.groupBy(
    changes.filter((change) => !isSoon(change)),
    ({ at, id, component, type, line, group }) =>
      group ? id : `${cutDay(at)} ${component} ${type} ${line !== undefined}`,
  );
  const changeNews = [...groups.values()].flatMap((group) =>
    group.length > maxListed
      ? [createChangeNews(group, titles)]
      : group.map((change) => createChangeNews([change], titles)),
  );

  return [...byDay.values()]
    .map(createReleaseNews)
    .concat(changeNews)
    .sort((a, b) => newestFirst(a.day, b.day) || oldestFirst(a.component, b.component));
}

function createKey({ component, version = '' }: { component: string; version?: string }): string {
  return `${component} ${version}`;
}

type Group<T> = readonly [T, ...T[]];

function createReleaseNews(released: Group<RecentRelease>): IndexNews {
  const { day, component, title } = released[0];
  return { day, component, title, kind: 'released', released, text: '' };
}

function createChangeNews(
  changes: Group<ListedChange>,
  titles: ReadonlyMap<string, string>,
): IndexNews {
  const [change] = changes;
  const { at, component, type, version, headline, group } = change;
  const subjects = [
    ...new Set(
      changes.map((each) => each.version ?? each.line).filter((value) => value !== undefined),
    ),
  ];
  const isOne = changes.length === 1 || type === 'added' || type === 'edited';
  const noun = version === undefined ? 'release line' : 'release';

  return {
    day: cutDay(at),
    component,
    title:
      group && group.components.length > 1
        ? formatCount(group.components.length, 'component')
        : (titles.get(component) ?? component),
    kind: type,
    released: [],
    text: isOne
      ? headline
      : describeMany(type, describeSize(type, changes.length, noun), formatList(subjects, 5)),
    behind: group?.sentences,
    change,
  };
}
