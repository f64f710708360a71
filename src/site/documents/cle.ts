/** `cle/<component>.json`: its life cycle as events, for readers of CLE 1.0.0 (ECMA-428). What CLE cannot say exactly is left out. */
import { addDays, type Day } from '../../core/day.ts';
import type { Cle, CleEvent } from '../../core/schema/cle.ts';
import type { Event } from '../../core/schema/events.ts';
import type { Component } from '../../core/schema/published.ts';
import type { Index } from '../load-index.ts';
import { renderObject, renderRows, writeMembers } from './json.ts';

/** What a policy means must never change: this holds for every end that an index tells. */
const support = {
  id: 'support',
  description:
    'Support that is not paid for, as the maintainers state it. It has ended at the beginning of the day after its last one.',
};

/** Nothing before the first day of a component, which has a journal then. */
export function renderCle(
  { component, packages }: Component,
  { journals, settings }: Index,
): string | undefined {
  const journal = journals.get(component) ?? [];
  const last = journal.at(-1);
  if (!last) {
    return undefined;
  }

  const [single, ...others] = packages;
  const head: Omit<Cle, 'events'> = {
    $schema: `${settings.releasesUrl}/schema/cle.json`,
    // Several packages are not the same bits.
    identifier: single && others.length === 0 ? single : `pkg:generic/${component}`,
    updatedAt: last.at,
    definitions: { support: [support] },
  };
  const events = listCleEvents(journal).reverse();
  return `${renderObject({ ...writeMembers(head), events: renderRows(events) })}\n`;
}

/** Of what was told and not withdrawn: the day of a release, and the end of a line. */
interface Told {
  effective: string;
  /** Of `endOfSupport`, then of `endOfLife`; or of `released`. */
  ids: number[];
}

/**
 * The events of a journal, oldest first. Each follows from the lines of the journal up to its own alone, so none changes when others
 * follow. An id is ten times that of the journal's event, plus the place among those that follow from it.
 */
export function listCleEvents(journal: readonly Event[]): CleEvent[] {
  const told = new Map<string, Told>();
  return journal.flatMap((event) =>
    Array.from(follow(event, told), (own, place) => ({
      id: event.id * 10 + place,
      ...own,
      published: event.at,
    })),
  );
}

/** Without what each event has. */
type OwnOf<Form> = Form extends CleEvent ? Omit<Form, 'id' | 'published'> : never;
type Own = OwnOf<CleEvent>;

function* follow(event: Event, told: Map<string, Told>): Generator<Own> {
  const { id, at, type, version, line = '' } = event;
  const subject = version ?? `line ${line}`;
  const former = told.get(subject);
  if (type === 'support-ended') {
    // An end without an exact day was left out.
    if (former) {
      former.ids.push(id * 10);
      yield { type: 'endOfLife', effective: former.effective, versions: [toRange(line)] };
    }
    return;
  }

  const news = readNews(event, former);
  if (!news) {
    return;
  }

  // In CLE, an event is withdrawn, not a release: as if it had never been told.
  const withdrawn = former?.ids ?? [];
  const reason = version ? 'Its day was corrected.' : 'The end of support was moved.';
  for (const eventId of withdrawn) {
    yield { type: 'withdrawn', effective: at, eventId, reason };
  }
  told.delete(subject);

  const { effective } = news;
  if (effective !== undefined) {
    told.set(subject, { effective, ids: [id * 10 + withdrawn.length] });
    yield version
      ? { type: 'released', effective, version }
      : { type: 'endOfSupport', effective, versions: [toRange(line)], supportId: support.id };
  }
}

/** What an event says in place of what was told; `effective` is undefined where that is not exact. */
function readNews(
  event: Event,
  former: Told | undefined,
): { effective: string | undefined } | undefined {
  const { type, on, to = '', field = 'day' } = event;
  const isBound = event.isObserved === true || event.timestampKind === 'observed';
  switch (type) {
    case 'released':
      return { effective: isBound ? undefined : beginDay(on) };
    case 'corrected': {
      const effective = beginDay(to);
      const isNews = field === 'day' && effective !== former?.effective;
      return isNews ? { effective: isBound ? undefined : effective } : undefined;
    }
    case 'support-announced':
    case 'support-changed':
      return { effective: findEnd(event) };
    default:
      return undefined;
  }
}

/** The instant from which a line has no support; undefined where its last day is estimated, or a bound. */
function findEnd({ to, toAtMost, isInferred, reason = '' }: Event): string | undefined {
  // Events of earlier versions say so in words alone.
  const isEstimated = isInferred ?? /\b(?:estimated|inferred)\b/.test(reason);
  return to === undefined || toAtMost !== undefined || isEstimated
    ? undefined
    : beginDay(addDays(to, 1));
}

function beginDay(day: Day): string {
  return `${day.slice(0, 10)}T00:00:00Z`;
}

/** A line is its digit groups, whatever follows: `intdot` compares nothing else. */
function toRange(line: string): { range: string } {
  const groups = line.split('.');
  const last = groups.pop()!;
  const next = String(BigInt(last) + 1n).padStart(last.length, '0');
  return { range: `vers:intdot/>=${line}|<${[...groups, next].join('.')}` };
}
