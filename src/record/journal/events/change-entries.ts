/** Entries in lists of changes for people. An entry may stand for several changes, and some changes need none. */
import { foldEdits, listSentences, type EditEntry } from '../../../core/model/edits.ts';
import { dropUndefined, type NonEmpty } from '../../../core/model/objects.ts';
import type { PublishedChange } from '../../../core/schemas/published/changes-file.ts';
import type { EventType } from '../../../core/schemas/recorded/journal.ts';
import { formatList } from '../../../core/text/wording.ts';
import { describeSize, describeEvent, describeMany } from '../../../decide/event-words.ts';

/** One change, several of one type in a run, those of an edit, or those of components that a run added. */
export interface ChangeEntry {
  /** The id of one of its changes, so no other entry has it. */
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
  /** The versions, lines or advisories of several changes, in the order of the journal. */
  subjects?: readonly string[];
  /** Of several changes: the last one, or the last release of a component that was added. Links lead to it. */
  last?: PublishedChange;
  /** For one component that was added. */
  releaseCount?: number;
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

/** The entries of a component, newest first. `changes`: all of the component, oldest first. */
export function listEntries(changes: readonly PublishedChange[]): ChangeEntry[] {
  const presentLines = findPresentLines(changes);
  const entries: ChangeEntry[] = [];
  for (const run of Map.groupBy(changes, ({ at }) => at).values()) {
    if (run[0].initial) {
      entries.push(combineInitial(run));
    } else {
      entries.push(...listRunEntries(run, presentLines));
    }
  }
  return entries.reverse();
}

/** The release line of each version after the last change; a version may be in none. */
type LineByVersion = ReadonlyMap<string, string | undefined>;

function findPresentLines(changes: readonly PublishedChange[]): LineByVersion {
  const presentLines = new Map<string, string | undefined>();
  for (const { type, version, line, field, to } of changes) {
    if (version !== undefined && type === 'released') {
      presentLines.set(version, line);
    } else if (version !== undefined && field === 'line') {
      presentLines.set(version, to);
    }
  }
  return presentLines;
}

function listRunEntries(
  run: readonly PublishedChange[],
  presentLines: LineByVersion,
): ChangeEntry[] {
  const changes = run.filter(
    (change) => change.edit === undefined && !isImplied(change, run, presentLines),
  );
  const byType = Map.groupBy(changes, ({ type }) => type);

  const entries: ChangeEntry[] = [];
  for (const change of changes) {
    const sameType = byType.get(change.type)!;
    if (sameType.length <= maxSingleEntries) {
      entries.push(createEntry(change));
    } else if (change === sameType[0]) {
      entries.push(combineChanges(sameType));
    }
  }

  const edits = foldEdits(run).filter((entry) => entry.type === 'edited');
  return [...entries, ...edits.map(convertEdit)];
}

/**
 * Whether another change of the run says it of the same line: a release came with an announced end, and a
 * deprecation by the support policy with an end of support.
 */
function isImplied(
  { type, line }: PublishedChange,
  run: readonly PublishedChange[],
  presentLines: LineByVersion,
): boolean {
  const onLine = run.filter((change) => findLine(change, presentLines) === line);
  switch (type) {
    case 'support-announced':
      return onLine.some((change) => change.type === 'released');
    case 'support-ended':
      return onLine.some(
        (change) => change.type === 'deprecated' && change.rule === 'support policy',
      );
    default:
      return false;
  }
}

/** The line of a change, or the present line of its version. */
function findLine(
  { line, version }: PublishedChange,
  presentLines: LineByVersion,
): string | undefined {
  return line ?? (version === undefined ? undefined : presentLines.get(version));
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
  const summarised = releases.length > 0 ? releases : run;
  const { size, range, subjects } = summarise('added', summarised);
  const { id, at, component } = run.at(-1)!;
  const headline = `added with ${size}${range && `: ${range}`}.`;
  const text = `${component} was ${headline}`;
  const releaseCount = releases.length;
  const last = summarised.at(-1)!;
  return { id, at, component, type: 'added', text, headline, subjects, last, releaseCount };
}

function combineChanges(changes: NonEmpty<PublishedChange>): ChangeEntry {
  const last = changes.at(-1)!;
  const { id, at, component, type } = last;
  const { size, range, subjects } = summarise(type, changes);
  const text = describeMany(type, size, range);
  return { id, at, component, type, text, headline: text, subjects, last };
}

/** The number of changes in words, their subjects, and a range from the first to the last subject. */
function summarise(type: EventType | 'added', changes: readonly PublishedChange[]) {
  const subjects = [
    ...new Set(changes.map(({ version, line, advisory = '' }) => version ?? line ?? advisory)),
  ];
  const noun = changes.some(({ version }) => version !== undefined) ? 'release' : 'release line';
  const range =
    subjects.length < 2 ? formatList(subjects, 1) : `from ${subjects[0]} to ${subjects.at(-1)}`;
  return { size: describeSize(type, changes.length, noun), range, subjects };
}

export function convertEdit(entry: EditEntry): ChangeEntry {
  const { components, ...shared } = entry;
  const group = { components, sentences: listSentences(entry) };
  return { ...shared, component: components[0]!, headline: shared.text, group };
}
