import type { EventType, JournalEvent } from '../../core/schemas/recorded/journal.ts';
import type { HeldChange } from '../../core/schemas/recorded/waits.ts';
import { capitalise, formatCount } from '../../core/text/wording.ts';

/** The events of one type that a run recorded for one component. */
export interface EventGroup {
  component: string;
  type: EventType;
  /** The changed versions, release lines, advisories or names, in the order of the journal. */
  items: readonly string[];
}

export function groupEvents(events: ReadonlyMap<string, readonly JournalEvent[]>): EventGroup[] {
  const groups: EventGroup[] = [];
  for (const [component, componentEvents] of events) {
    for (const [type, typeEvents] of Map.groupBy(componentEvents, (event) => event.type)) {
      groups.push({ component, type, items: typeEvents.map(nameItem) });
    }
  }
  return groups;
}

/** A corrected day is named with the earlier one; a renamed or replaced component with the new name, if there is one. */
function nameItem({ version, line, advisory, to, from, field }: JournalEvent): string {
  return field === 'releaseTimestamp' && from !== undefined
    ? `${version} from ${from} to ${to}`
    : (version ?? line ?? advisory ?? to ?? from ?? '');
}

export interface CommitMessage {
  subject: string;
  body?: string;
}

/** The usual limit for the subject of a commit: a longer one has counts in place of names, and leaves out the last phrases. */
const maxSubjectLength = 72;

/** The changes that wait for a decision after a run, and the ids of the decisions that it used. */
export interface RunDecisions {
  held: readonly Pick<HeldChange, 'id' | 'component'>[];
  used: readonly string[];
}

/** The body lists the events and decisions, where there are any besides held changes. `components`: the number of all components. */
export function writeCommitMessage(
  groups: readonly EventGroup[],
  components: number,
  { held, used }: RunDecisions,
): CommitMessage {
  if (groups.length === 0 && used.length === 0) {
    const open = held.length === 0 ? '' : `, ${formatCount(held.length, 'decision')} open`;
    return { subject: `Check ${formatCount(components, 'component')}: nothing new${open}` };
  }

  // List items, since git would read a plain line as a trailer.
  const lines = [
    ...groups.map((group) => `- ${group.component}: ${group.type} ${joinItems(group)}`),
    ...used.map((id) => `- accepted ${id}`),
    ...held.map(({ component, id }) => `- ${component}: waits, ${id}`),
  ];
  return { subject: writeSubject(groups, used, held.length), body: lines.join('\n') };
}

/** A part of a subject: with names, and with their number where these are too long. */
interface Phrase {
  long: string;
  short: string;
}

/** The verb for each type of event that has a phrase of its own in a subject. */
const verbs = { withdrawn: 'withdraw', deprecated: 'deprecate', released: 'record' };

/** The most urgent first: accepted, withdrawn, deprecated, held, new, and all other events together. */
function writeSubject(
  groups: readonly EventGroup[],
  used: readonly string[],
  heldCount: number,
): string {
  const phrases = [
    ...createPhrase('accept', used, used.length, 'decision'),
    ...describeReleases(groups, 'withdrawn'),
    ...describeReleases(groups, 'deprecated'),
    ...createPhrase('hold', [], heldCount, 'change'),
    ...describeReleases(groups, 'released'),
  ];

  const others = groups.filter(({ type }) => !Object.hasOwn(verbs, type));
  if (phrases.length === 0) {
    const short = `record ${formatCount(countItems(others), 'event')}`;
    phrases.push({ long: `${short} of ${nameComponents(groups)}`, short });
  } else if (others.length > 0) {
    const words = formatCount(countItems(others), 'other event');
    phrases.push({ long: words, short: words });
  }

  const subject = joinPhrases(phrases.map(({ long }) => long));
  return subject.length <= maxSubjectLength
    ? subject
    : joinUpToLimit(phrases.map(({ short }) => short));
}

function joinUpToLimit(phrases: readonly string[]): string {
  let subject = joinPhrases(phrases);
  for (let count = phrases.length - 1; subject.length > maxSubjectLength; count -= 1) {
    subject = joinPhrases([...phrases.slice(0, count), 'and more']);
  }
  return subject;
}

function joinPhrases(phrases: readonly string[]): string {
  return capitalise(phrases.join(', '));
}

/** A phrase with the names, if there are any; no phrase for a count of 0. */
function createPhrase(
  verb: string,
  names: readonly string[],
  count: number,
  noun: string,
): Phrase[] {
  if (count === 0) {
    return [];
  }

  const short = `${verb} ${formatCount(count, noun)}`;
  return [{ long: names.length > 0 ? `${verb} ${names.join(', ')}` : short, short }];
}

function describeReleases(groups: readonly EventGroup[], eventType: keyof typeof verbs): Phrase[] {
  const ofType = groups.filter(({ type }) => type === eventType);
  const names = ofType.map((group) => `${group.component} ${joinItems(group)}`);
  return createPhrase(verbs[eventType], names, countItems(ofType), 'release');
}

/** The only component, or the number of components. */
function nameComponents(groups: readonly EventGroup[]): string {
  const [name = '', ...more] = new Set(groups.map(({ component }) => component));
  return more.length === 0 ? name : formatCount(more.length + 1, 'component');
}

function countItems(groups: readonly EventGroup[]): number {
  return groups.reduce((sum, { items }) => sum + items.length, 0);
}

/** Hosts act on texts such as `[skip ci]`, `@someone` and `closes #1`. A version must not bring them into a message. */
function joinItems({ items }: EventGroup): string {
  return items.map((item) => item.replaceAll(/[^\w.+~!: -]/g, '?')).join(', ');
}
