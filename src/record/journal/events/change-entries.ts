/** Entries in lists of changes for people. An entry may stand for several changes, and some changes need none. */
import { oldestFirst } from '../../../core/model/dates.ts';
import {
  chooseEditKey,
  createEditEntry,
  foldEdits,
  listChangeSentences,
  type EditEntry,
} from '../../../core/model/edits.ts';
import { dropUndefined, type NonEmpty } from '../../../core/model/objects.ts';
import type { PublishedChange } from '../../../core/schemas/published/changes-file.ts';
import type { EventType, JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import { formatCount } from '../../../core/text/wording.ts';
import {
  describeEvent,
  describeMany,
  describeSize,
  toPublishedEvents,
} from '../../../decide/event-words.ts';

/** One change; several of one type in a run; an edit; or one or several components that a run added. */
export interface ChangeEntry {
  /** The id of one of its changes, so no other entry has it. */
  id: string;
  at: string;
  component: string;
  type: EventType | 'added' | 'edited';
  text: string;
  /** A text for lists: without the reason of a single change, or without the name of an added component. */
  headline: string;

  /** Of one change, as far as it has them. */
  version?: string;
  line?: string;
  url?: string;

  /** The versions, lines or advisories of several changes, each once, in the order of the journal. */
  subjects?: readonly string[];
  /** Of several changes: the last one, or the last release of a component that was added. Links lead to it. */
  last?: PublishedChange;
  /** For one component that was added. */
  releaseCount?: number;

  /** The file and commit of an edit, as the journal states them. */
  edit?: string;
  /** The changes that the edit caused. */
  changes?: readonly PublishedChange[];
  /** For an edit, and for several components that were added. */
  group?: EntryGroup;
}

export interface EntryGroup {
  /** In alphabetical order. */
  components: readonly string[];
  /** What happened to each of them. */
  sentences: readonly string[];
}

/** More changes of one type in a run share an entry. */
const maxSingleEntries = 20;

/**
 * The entries of a component, newest first. `changes`: oldest first, and whole runs. Without the earlier runs, each release line is
 * taken as new.
 */
export function listChangeEntries(changes: readonly PublishedChange[]): ChangeEntry[] {
  const presentLines = findPresentLines(changes);
  const earlierLines = new Set<string | undefined>();
  const entries: ChangeEntry[] = [];
  for (const run of Map.groupBy(changes, ({ at }) => at).values()) {
    if (run[0].initial) {
      entries.push(combineInitial(run));
    } else {
      entries.push(...listRunEntries(run, presentLines, earlierLines));
    }

    run.forEach(({ line }) => earlierLines.add(line));
  }
  return entries.reverse();
}

/** The release line of each version after the last change; a version may be in none. */
type LineByVersion = ReadonlyMap<string, string | undefined>;

function findPresentLines(changes: readonly PublishedChange[]): LineByVersion {
  const presentLines = new Map<string, string | undefined>();
  for (const { type, version = '', line, field, to } of changes) {
    if (type === 'released') {
      presentLines.set(version, line);
    } else if (field === 'line') {
      presentLines.set(version, to);
    }
  }
  return presentLines;
}

function listRunEntries(
  run: readonly PublishedChange[],
  presentLines: LineByVersion,
  earlierLines: ReadonlySet<string | undefined>,
): ChangeEntry[] {
  const impliedLines = findImpliedLines(run, presentLines, earlierLines);
  const changes = run.filter(
    ({ type, line, edit }) => edit === undefined && !impliedLines.get(type)?.has(line),
  );
  const groups = Map.groupBy(changes, createGroupKey);

  const entries: ChangeEntry[] = [];
  for (const change of changes) {
    const group = groups.get(createGroupKey(change))!;
    if (group.length <= maxSingleEntries) {
      entries.push(createEntry(change));
    } else if (change === group[0]) {
      entries.push(combineChanges(group));
    }
  }

  const edits = foldEdits(run).filter((entry) => entry.type === 'edited');
  return [...entries, ...edits.map(convertEdit)];
}

/** Equal for the changes of a run that may share an entry: of one type, and all of releases or all of release lines. */
function createGroupKey({ type, version }: PublishedChange): string {
  return `${type} ${version !== undefined}`;
}

/**
 * By type, the lines of changes that lists leave out because of another change of the run on the same line: an announced end because
 * of the first release of the line, and an end of support because of the deprecation by the support policy.
 */
function findImpliedLines(
  run: readonly PublishedChange[],
  presentLines: LineByVersion,
  earlierLines: ReadonlySet<string | undefined>,
) {
  const announced = new Set<string | undefined>();
  const ended = new Set<string | undefined>();
  // A change of a version that states no line concerns the present line of the version.
  for (const { type, version = '', line = presentLines.get(version), rule } of run) {
    if (type === 'released' && !earlierLines.has(line)) {
      announced.add(line);
    } else if (type === 'deprecated' && rule === 'support policy') {
      ended.add(line);
    }
  }

  return new Map<EventType, ReadonlySet<string | undefined>>([
    ['support-announced', announced],
    ['support-ended', ended],
  ]);
}

function createEntry(change: PublishedChange): ChangeEntry {
  const { id, at, component, type, text, version, line, url } = change;

  // The reason of an advisory is its summary, which a list needs.
  const headline = type.startsWith('advisory-')
    ? text
    : describeEvent({ ...change, reason: undefined });
  return dropUndefined({ id, at, component, type, text, headline, version, line, url });
}

/** The entry of a component that the run added. */
function combineInitial(run: NonEmpty<PublishedChange>): ChangeEntry {
  const releases = run.filter(({ type }) => type === 'released');
  // An advisory is no release line.
  const summarised = releases.length > 0 ? releases : run.filter(({ line }) => line !== undefined);
  const { size, range, subjects } = summarise('added', summarised);
  const { id, at, component } = run.at(-1)!;
  const headline = `added with ${size}${range && `: ${range}`}.`;
  const text = `${component} was ${headline}`;
  const releaseCount = releases.length;
  const last = summarised.at(-1) ?? run.at(-1)!;
  return { id, at, component, type: 'added', text, headline, subjects, last, releaseCount };
}

function combineChanges(changes: NonEmpty<PublishedChange>): ChangeEntry {
  const last = changes.at(-1)!;
  const { id, at, component, type } = last;
  const { size, range, subjects } = summarise(type, changes);
  const text = describeMany(type, size, range);
  return { id, at, component, type, text, headline: text, subjects, last };
}

/** The subjects of changes, their number in words, and a range from the first to the last. */
function summarise(type: EventType | 'added', changes: readonly PublishedChange[]) {
  const named = changes.map(({ version, line, advisory }) => version ?? line ?? advisory);
  const subjects = [...new Set(named)].filter((subject) => subject !== undefined);
  const noun = changes.some(({ version }) => version !== undefined) ? 'release' : 'release line';
  const size = describeSize(type, subjects.length, noun);

  const [first = '', ...others] = subjects;
  const range = others.length === 0 ? first : `from ${first} to ${others.at(-1)}`;
  return { size, range, subjects };
}

function convertEdit(entry: EditEntry): ChangeEntry {
  const { components, ...shared } = entry;
  const group = { components, sentences: listChangeSentences(entry) };
  return { ...shared, component: components[0]!, headline: shared.text, group };
}

/** Joins the entries about one edit, and those about components that one run added. Keeps the order. */
export function joinEntries(entries: readonly ChangeEntry[]): ChangeEntry[] {
  return Array.from(Map.groupBy(entries, chooseEntryKey).values(), (group) => {
    const [entry] = group;
    if (group.length === 1) {
      return entry;
    }
    if (entry.edit === undefined) {
      return joinAdded(group);
    }

    // One entry for each component, with the changes to it.
    const changes = group.flatMap((each) => each.changes ?? []);
    return convertEdit(createEditEntry(entry.edit, changes));
  });
}

/** Equal for the entries of one edit in one run, and for those of components that one run added. All others differ. */
function chooseEntryKey(entry: ChangeEntry): unknown {
  return entry.type === 'added' ? entry.at : chooseEditKey(entry);
}

/** The entry of components that one run added. Its id is that of the last component by name, whatever the order of the entries. */
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

/**
 * New events of several components in sentences. An entry about several components is followed by a sentence about each. Without the
 * earlier events, some sentences repeat what a list for readers leaves out.
 */
export function listAnnouncements(events: ReadonlyMap<string, readonly JournalEvent[]>): string[] {
  const entries: ChangeEntry[] = [];
  for (const [component, journal] of events) {
    // Only the first event of a journal names the component.
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
