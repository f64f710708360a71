/** `cle/<component>.json`: its life cycle as events, for readers of CLE 1.0.0 (ECMA-428). What CLE cannot say exactly is left out. */
import { addDays, type Day } from '../../core/day.ts';
import type { Cle, CleEvent } from '../../core/schema/cle.ts';
import type { Event } from '../../core/schema/events.ts';
import type { Component } from '../../core/schema/published.ts';
import type { Index } from '../load-index.ts';
import { joinMembers, renderRows, writeMembers } from './json.ts';

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
  return `{${joinMembers({ ...writeMembers(head), events: renderRows(events) })}}\n`;
}

/**
 * The events of a journal, oldest first. Each follows from the lines of the journal up to its own alone, so none changes when others
 * follow. An id is ten times that of the journal's event, plus the place among those that follow from it.
 */
export function listCleEvents(journal: readonly Event[]): CleEvent[] {
  /** By version or line, what was told of it and not withdrawn. */
  const standing = new Map<string, readonly CleEvent[]>();
  return journal.flatMap((event) => {
    const { id, at, version, line = '' } = event;
    const subject = version ?? `line ${line}`;
    const former = standing.get(subject) ?? [];
    const following =
      version === undefined
        ? followLine(event, line, former)
        : followRelease(event, version, former);
    const events = Array.from(following, (own, place) => ({
      id: id * 10 + place,
      ...own,
      published: at,
    }));
    const told = events.filter(({ type }) => type !== 'withdrawn');
    // All that was told is withdrawn at once.
    const isWithdrawn = told.length < events.length;
    standing.set(subject, isWithdrawn ? told : [...former, ...told]);
    return events;
  });
}

/** Without what each event has. */
type OwnOf<Form> = Form extends CleEvent ? Omit<Form, 'id' | 'published'> : never;

/** `former`: what was told of the same version, or below of the same line, and not withdrawn. */
function* followRelease(
  { at, type, on, field = 'day', to = '', isObserved, timestampKind }: Event,
  version: string,
  former: readonly CleEvent[],
): Generator<OwnOf<CleEvent>> {
  const isMoved = type === 'corrected' && field === 'day' && beginDay(to) !== former[0]?.effective;
  if (type !== 'released' && !isMoved) {
    return;
  }

  yield* withdraw(former, at, 'Its day was corrected.');
  // An observed day is a bound.
  if (!isObserved && timestampKind !== 'observed') {
    yield { type: 'released', effective: beginDay(isMoved ? to : on), version };
  }
}

function* followLine(
  event: Event,
  line: string,
  former: readonly CleEvent[],
): Generator<OwnOf<CleEvent>> {
  const { at, type } = event;
  const [first] = former;
  if (type === 'support-announced' || type === 'support-changed') {
    yield* withdraw(former, at, 'The end of support was moved.');
    const effective = findEnd(event);
    if (effective !== undefined) {
      const versions = [toRange(line)];
      yield { type: 'endOfSupport', effective, versions, supportId: support.id };
    }
  }
  // An end without an exact day was left out.
  if (type === 'support-ended' && first) {
    yield { type: 'endOfLife', effective: first.effective, versions: [toRange(line)] };
  }
}

/** In CLE, an event is withdrawn, not a release: as if it had never been told. */
function* withdraw(
  former: readonly CleEvent[],
  effective: string,
  reason: string,
): Generator<OwnOf<CleEvent>> {
  for (const { id: eventId } of former) {
    yield { type: 'withdrawn', effective, eventId, reason };
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
