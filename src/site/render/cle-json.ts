import { toTimestamp } from '../../core/dates.ts';
import { onlyPhase } from '../../core/phases.ts';
import type { CleEvent, CleFile } from '../../core/schemas/published/cle-file.ts';
import type { CorrectedField, JournalEvent } from '../../core/schemas/journal.ts';
import type { Component } from '../../decide/component.ts';
import { applyEvent, endKey, foldJournal, statedEnd } from '../../decide/journal/fold-journal.ts';
import { fieldNames } from '../../decide/event-words.ts';
import { arrayByLine } from './component-json.ts';
import type { SiteContext } from './site-context.ts';

/** The phases in the journal. The meaning of an id never changes. */
function supportPolicies(journal: readonly JournalEvent[]): { id: string; description: string }[] {
  const names = new Set([onlyPhase, ...journal.flatMap(({ phase }) => phase ?? [])]);
  return Array.from(names, (id) => ({
    id,
    description: `${id === onlyPhase ? 'Support' : `Phase ${id}`} of a release line, for as long as the support policy of the component promises it.`,
  }));
}

/** `cle/<component>.json`: the journal of a component as a Common Lifecycle Enumeration document (ECMA-428). */
export function renderCleFile(
  site: SiteContext,
  { name, journal }: Pick<Component, 'name' | 'journal'>,
): string {
  const events = cleEvents(journal);
  const head: Omit<CleFile, 'events'> = {
    $schema: `${site.baseUrl}/schema/cle.json`,
    identifier: `pkg:generic/${name}`,
    updatedAt: events.at(-1)?.published ?? '2000-01-01T00:00:00Z',
    definitions: { support: supportPolicies(journal) },
  };
  const opening = JSON.stringify(head, undefined, 2).slice(0, -'\n}'.length);
  return `${opening},\n  "events": ${arrayByLine(events.toReversed())}\n}\n`;
}

type WithoutPlace<Event> = Event extends CleEvent ? Omit<Event, 'id' | 'published'> : never;

/** The end of a phase of a release line. */
interface End {
  readonly key: string;
  readonly phase: string;
  readonly until: string;
  readonly types: readonly ('endOfDevelopment' | 'endOfSupport' | 'endOfLife')[];
  /** The last event about it. */
  readonly cause: JournalEvent;
}

/** A published end of releases, and the ids of its events. */
interface StatedEnd {
  readonly end: End;
  readonly versions: readonly string[];
  readonly ids: readonly number[];
}

/** The first of several phases ends development, the last phase ends the life of a line, and each phase ends support. */
function endTypes(phase: string, phases: readonly string[] = [phase]): End['types'] {
  const isFirst = phases.length > 1 && phases[0] === phase;
  const isLast = phases.at(-1)?.split(' ')[0] === phase;
  return [
    isFirst ? 'endOfDevelopment' : [],
    'endOfSupport',
    isLast ? 'endOfLife' : [],
  ].flat() as End['types'];
}

function textOf({ key, until, types }: End): string {
  return `${key} ${until} ${types}`;
}

/**
 * The events of a journal in the terms of the standard, oldest first. The events of a run depend only on the journal up to this
 * run, so published events never change. An event that no longer holds is withdrawn.
 */
export function cleEvents(journal: readonly JournalEvent[]): CleEvent[] {
  const events: CleEvent[] = [];
  const state = foldJournal([]);
  /** Ids of the `released` events that still hold, by version. */
  const released = new Map<string, number>();
  let replaced: number | undefined;
  let stated: StatedEnd[] = [];
  /** The last event about each end. If no day was known before, its day is when the end was seen. */
  const causes = new Map<string, JournalEvent>();
  const named = new Set<string>();
  let published = '';
  const add = (event: WithoutPlace<CleEvent>): number => {
    events.push({ id: events.length + 1, ...event, published } as CleEvent);
    return events.length;
  };
  const withdraw = (eventId: number, reason: string | undefined) =>
    add({ type: 'withdrawn', effective: published, eventId, reason });

  for (const [at, run] of Map.groupBy(journal, (event) => event.at)) {
    published = at;
    const corrected = new Map<string, CorrectedField>();
    for (const event of run) {
      applyEvent(state, event);
      const { type, version, field } = event;
      if (event.phase !== undefined) {
        named.add(event.phase);
      }
      if (type.startsWith('support-') && type !== 'support-ending') {
        causes.set(endKey(event), event);
      }
      if (type === 'renamed') {
        rename(event);
      }
      if (type === 'replaced') {
        replace(event);
      }
      if (
        version !== undefined &&
        field !== undefined &&
        field !== 'line' &&
        field !== 'isPrerelease'
      ) {
        corrected.set(version, field);
      }
    }
    stateReleases(run, corrected);
    stateEnds();
  }
  return events;

  function rename({ on, to }: JournalEvent): void {
    const identifiers = [{ type: 'PURL' as const, value: `pkg:generic/${to}` }];
    add({ type: 'componentRenamed', effective: toTimestamp(on), identifiers });
  }

  function replace({ on, to }: JournalEvent): void {
    if (replaced !== undefined) {
      withdraw(replaced, undefined);
    }
    replaced = undefined;
    if (to === undefined) {
      return;
    }
    const by = { supersededByVersion: `pkg:generic/${to}`, description: `Replaced by ${to}.` };
    replaced = add({ type: 'supersededBy', effective: toTimestamp(on), ...by });
  }

  /** States listed versions that are not withdrawn as released, and corrected releases again. */
  function stateReleases(
    run: readonly JournalEvent[],
    corrected: ReadonlyMap<string, CorrectedField>,
  ): void {
    for (const version of new Set(run.flatMap((event) => event.version ?? []))) {
      const { values, ...known } = state.versions.get(version)!;
      const { releaseTimestamp: day, timestampKind, changelogUrl } = values;
      const isThere = known.isListed && !known.isWithdrawn;
      const id = released.get(version);
      const field = corrected.get(version);
      if (id !== undefined && (!isThere || field)) {
        const cause = run.findLast(
          (event) => event.version === version && /^(?:withdrawn|excluded)$/.test(event.type),
        );
        withdraw(id, isThere && field ? `The ${fieldNames[field]} was corrected.` : cause?.reason);
        released.delete(version);
      }
      if (!isThere || released.has(version)) {
        continue;
      }
      const about = {
        description: timestampKind === 'observed' ? 'Released no later than this day.' : undefined,
        references: changelogUrl === undefined ? undefined : [changelogUrl],
      };
      released.set(
        version,
        add({ type: 'released', effective: toTimestamp(day!), version, ...about }),
      );
    }
  }

  /** States the ends of all releases, separately for each release line and phase. */
  function stateEnds(): void {
    const wanted = new Map<string, End>();
    for (const version of released.keys()) {
      for (const phase of named) {
        const key = endKey({ line: state.versions.get(version)!.values.line, phase });
        const [end, cause] = [state.ends.get(key), causes.get(key)];
        if (!end || !cause) {
          continue;
        }
        // The standard has no ranges: an end without an exact day is stated once it has certainly passed.
        const exact = end.untilAtMost === undefined ? end.until : undefined;
        const until = exact ?? (end.isEnded ? cause.on : undefined);
        if (until === undefined) {
          continue;
        }
        const types = endTypes(phase, end.phases);
        wanted.set(`${phase} ${version}`, { key, phase, until, types, cause });
      }
    }
    const isWanted = ({ end }: StatedEnd, version: string) => {
      const now = wanted.get(`${end.phase} ${version}`);
      return now !== undefined && textOf(now) === textOf(end);
    };
    const kept = stated.filter((each) =>
      each.versions.every((version) => !released.has(version) || isWanted(each, version)),
    );
    for (const { end, ids } of stated.filter((each) => !kept.includes(each))) {
      for (const id of ids) {
        withdraw(id, causes.get(end.key)?.reason);
      }
    }
    const isStated = new Set(
      kept.flatMap(({ end, versions }) => versions.map((of) => `${end.phase} ${of}`)),
    );
    const missing = [...wanted].filter(([of]) => !isStated.has(of));
    const groups = Map.groupBy(missing, ([, end]) => textOf(end));
    const added = Array.from(groups.values(), (group): StatedEnd => {
      const [[, end]] = group;
      const versions = group.map(([of]) => of.slice(end.phase.length + 1));
      const about = {
        effective: toTimestamp(end.until),
        versions: versions.map((version) => ({ version })),
        description: describe(end.cause),
      };
      const ids = end.types.map((type) =>
        add(type === 'endOfLife' ? { type, ...about } : { type, ...about, supportId: end.phase }),
      );
      return { end, versions, ids };
    });
    stated = [...kept, ...added];
  }
}

function describe(event: JournalEvent): string | undefined {
  const { atMost } = statedEnd(event);
  return atMost === undefined
    ? event.reason
    : ['No later than this day.', event.reason].join(' ').trim();
}
