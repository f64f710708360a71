import type { EventType, JournalEvent } from '../../core/schemas/recorded/journal.ts';
import type { HeldChange } from '../../core/schemas/recorded/runs.ts';
import { capitalise, formatCount } from '../../core/text/wording.ts';

/** The events of one type that a run recorded for one component. */
export interface News {
  component: string;
  type: EventType;
  /** The changed versions, release lines, advisories or names, in the order of the journal. */
  subjects: readonly string[];
}

export function listNews(events: ReadonlyMap<string, readonly JournalEvent[]>): News[] {
  const news: News[] = [];
  for (const [component, componentEvents] of events) {
    for (const [type, typeEvents] of Map.groupBy(componentEvents, (event) => event.type)) {
      news.push({ component, type, subjects: typeEvents.map(nameSubject) });
    }
  }
  return news;
}

/** A corrected day is named with the earlier one; a renamed or replaced component with the new name, if there is one. */
function nameSubject({ version, line, advisory, to, from, field }: JournalEvent): string {
  return field === 'releaseTimestamp' && from !== undefined
    ? `${version} from ${from} to ${to}`
    : (version ?? line ?? advisory ?? to ?? from ?? '');
}

export interface CommitMessage {
  subject: string;
  body?: string;
}

/** The usual limit for the subject of a commit. */
const maxSubjectLength = 72;

/** The changes that wait for a decision after a run, and the ids of the decisions that it used. */
export interface RunDecisions {
  held: readonly Pick<HeldChange, 'id' | 'component'>[];
  used: readonly string[];
}

/** The body lists all events and decisions. */
export function writeCommitMessage(
  news: readonly News[],
  components: number,
  { held, used }: RunDecisions,
): CommitMessage {
  if (news.length === 0 && used.length === 0) {
    const open = held.length === 0 ? '' : `, ${formatCount(held.length, 'decision')} open`;
    return { subject: `Check ${formatCount(components, 'component')}: nothing new${open}` };
  }

  // List items, since git would read a plain line as a trailer.
  const lines = [
    ...news.map(({ type, ...event }) => `- ${event.component}: ${type} ${joinSubjects(event)}`),
    ...used.map((id) => `- accepted ${id}`),
    ...held.map(({ component, id }) => `- ${component}: waits, ${id}`),
  ];
  return { subject: writeSubject(news, used, held.length), body: lines.join('\n') };
}

/** A part of a subject. It shows the count if there are no names, or if all names together are too long. */
interface Phrase {
  verb: string;
  names: readonly string[];
  count: number;
  noun: string;
}

/** The types of events that a subject names. It counts all others. */
const namedTypes: readonly EventType[] = ['withdrawn', 'deprecated', 'released'];

/** Begins with what is most urgent for a person: accepted, withdrawn, deprecated, held, new. */
function writeSubject(news: readonly News[], used: readonly string[], heldCount: number): string {
  const phrases: readonly Phrase[] = [
    { verb: 'accept', names: used, count: used.length, noun: 'decision' },
    describeReleases('withdraw', news, 'withdrawn'),
    describeReleases('deprecate', news, 'deprecated'),
    { verb: 'hold', names: [], count: heldCount, noun: 'change' },
    describeReleases('record', news, 'released'),
  ].filter(({ count }) => count > 0);

  const otherCount = countSubjects(news.filter(({ type }) => !namedTypes.includes(type)));
  if (phrases.length === 0) {
    return `Record ${formatCount(otherCount, 'event')} of ${nameComponents(news)}`;
  }

  const others = otherCount > 0 ? [formatCount(otherCount, 'other event')] : [];
  const subject = capitalise([...phrases.map(nameAll), ...others].join(', '));
  return subject.length <= maxSubjectLength
    ? subject
    : capitalise([...phrases.map(countAll), ...others].join(', '));
}

function describeReleases(verb: string, news: readonly News[], eventType: EventType): Phrase {
  const events = news.filter(({ type }) => type === eventType);
  const names = events.map((event) => `${event.component} ${joinSubjects(event)}`);
  return { verb, names, count: countSubjects(events), noun: 'release' };
}

function nameAll(phrase: Phrase): string {
  const { verb, names } = phrase;
  return names.length > 0 ? `${verb} ${names.join(', ')}` : countAll(phrase);
}

function countAll({ verb, count, noun }: Phrase): string {
  return `${verb} ${formatCount(count, noun)}`;
}

/** The only component, or the number of components. */
function nameComponents(news: readonly News[]): string {
  const [name = '', ...more] = new Set(news.map(({ component }) => component));
  return more.length === 0 ? name : formatCount(more.length + 1, 'component');
}

function countSubjects(news: readonly News[]): number {
  return news.reduce((sum, { subjects }) => sum + subjects.length, 0);
}

/** Hosts act on texts such as `[skip ci]`, `@someone` and `closes #1`. A version must not bring them into a message. */
function joinSubjects({ subjects }: Pick<News, 'subjects'>): string {
  return subjects.map((subject) => subject.replaceAll(/[^\w.+~!: -]/g, '?')).join(', ');
}
