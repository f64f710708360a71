import type { EventType, JournalEvent } from '../../core/schemas/journal.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { foldEdits, type EditEntry } from '../../core/edits.ts';
import { counted, defined, listed } from '../../core/text.ts';
import { eventText, happenedToMany } from '../event-words.ts';

/**
 * The events of a journal as they are published, oldest first. Each follows from the events before it alone, so that nothing
 * that was published changes.
 */
export function publishedEvents(events: readonly JournalEvent[]): PublishedChange[] {
  const first = events[0]?.component ?? '';
  let name = first;
  return events.map(({ id, at, type, on, component: _, ...rest }) => {
    if (type === 'renamed') name = rest.to!;
    const text = eventText({ at, type, on, ...rest });
    return { id: `${first}/${id}`, at, type, on, component: name, ...rest, text };
  });
}

/** One entry of a list that people read: an event, or many of a run that say the same. */
export interface ListedChange {
  /** That of the last event of it, so that it is unique and stays. */
  readonly id: string;
  readonly at: string;
  readonly component: string;
  readonly type: EventType | 'added' | 'edited';
  readonly text: string;
  /** The same without its reason. */
  readonly headline: string;
  readonly version?: string;
  readonly line?: string;
  readonly url?: string;
  /** The versions and lines of several events, in the order of the journal. */
  readonly subjects?: readonly string[];
  /** The events of an edit, which may be of several components. */
  readonly edit?: EditEntry;
}

/** More events of one type in one run are one entry. */
const maxApart = 20;

/** The events of a component for people, newest first; those with which it entered are one entry. */
export function listChanges(events: readonly PublishedChange[]): ListedChange[] {
  const lines = new Map(
    events.map(({ version = '', line, to, field, type }) =>
      type === 'released' || field === 'line' ? [version, line ?? to] : ['', undefined],
    ),
  );
  return [...Map.groupBy(events, ({ at }) => at).values()].flatMap((run) => listRun(run, lines)).reverse();
}

type LineOf = ReadonlyMap<string, string | undefined>;

/** Whether an event follows from another one of its run and is left out: a withdrawn version is deprecated, an ended line, too. */
function isImplied(
  { type, rule, version, line }: PublishedChange,
  run: readonly PublishedChange[],
  lineOf: LineOf,
) {
  const isOfLine = (other: PublishedChange) => (other.line ?? lineOf.get(other.version ?? '')) === line;
  const isAlike = (other: PublishedChange) =>
    version === undefined ? isOfLine(other) : other.version === version;
  if (type === 'support-announced') return run.some((other) => other.type === 'released' && isOfLine(other));
  if (type === 'support-ended')
    return run.some(
      (other) => other.type === 'deprecated' && other.rule === 'support policy' && isOfLine(other),
    );
  const cause = { deprecated: 'withdrawn', restored: 'relisted' }[type as string];
  return rule === 'withdrawn' && run.some((other) => other.type === cause && isAlike(other));
}

function listRun(run: readonly PublishedChange[], lineOf: LineOf): ListedChange[] {
  if (run[0]!.initial) {
    const releases = run.filter(({ type }) => type === 'released');
    return [combine('added', releases.length > 0 ? releases : run, run)];
  }
  const edited = foldEdits(run.filter(({ edit }) => edit !== undefined)).flatMap((entry) =>
    entry.type === 'edited' ? listEdit(entry) : [],
  );
  const events = run.filter((event) => event.edit === undefined && !isImplied(event, run, lineOf));
  const byType = Map.groupBy(events, ({ type }) => type);
  const shown = new Set<EventType>();
  const others = events.flatMap((event): ListedChange | [] => {
    const of = byType.get(event.type)!;
    if (of.length <= maxApart) return listOne(event);
    if (shown.has(event.type)) return [];
    shown.add(event.type);
    return combine(event.type, of, of);
  });
  return [...others, ...edited];
}

function listEdit(edit: EditEntry): ListedChange {
  const { id, at, type, text, components } = edit;
  return { id, at, component: components[0]!, type, text, headline: text, edit };
}

/** Joins the entries of one edit that are listed for several components. Keeps the order. */
export function joinEdits(changes: readonly ListedChange[]): ListedChange[] {
  const events = changes.flatMap(({ edit }) => edit?.changes ?? []);
  const entries = foldEdits(events).flatMap((entry) => (entry.type === 'edited' ? entry : []));
  const keyOf = ({ at, edit }: EditEntry) => `${at} ${edit}`;
  const byKey = new Map(entries.map((entry) => [keyOf(entry), listEdit(entry)]));
  return changes.flatMap((change) => {
    if (!change.edit) return change;
    const joined = byKey.get(keyOf(change.edit)) ?? [];
    byKey.delete(keyOf(change.edit));
    return joined;
  });
}

function listOne(event: PublishedChange): ListedChange {
  const { id, at, component, type, text, version, line, url, reason: _, ...rest } = event;
  // An advisory says nothing but its reason.
  const headline = type.startsWith('advisory')
    ? text
    : eventText({ at, component, type, ...defined({ version, line, url }), ...rest });
  return defined({ id, at, component, type, text, headline, version, line, url });
}

function combine(
  type: EventType | 'added',
  of: readonly PublishedChange[],
  all: readonly PublishedChange[],
): ListedChange {
  const { id, at, component } = all.at(-1)!;
  const subjects = [
    ...new Set(
      of.map(({ version, line, releases, advisory = '' }) => version ?? line ?? releases ?? advisory),
    ),
  ];
  const noun = of.every(({ version }) => version === undefined) ? 'release line' : 'release';
  const size = type.startsWith('advisory-')
    ? `${of.length} advisories`
    : counted(of.length, type.startsWith('compatibility-') ? 'statement' : noun);
  const range = subjects.length < 2 ? listed(subjects, 1) : `from ${subjects[0]} to ${subjects.at(-1)}`;
  const what = type === 'added' ? `added with ${size}` : `${size} ${happenedToMany(type)}`;
  const headline = range === '' ? `${what}.` : `${what}: ${range}.`;
  const text = type === 'added' ? `${component} was ${headline}` : headline;
  return { id, at, component, type, text, headline, subjects };
}
