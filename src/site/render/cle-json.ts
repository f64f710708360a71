import { toTimestamp } from '../../core/dates.ts';
import type { CleEvent, CleFile } from '../../core/schemas/published/cle-file.ts';
import type { JournalEvent } from '../../core/schemas/journal.ts';
import type { Component } from '../../decide/component.ts';
import { applyEvent, endKey, foldJournal } from '../../decide/journal/fold-journal.ts';
import { fieldNames } from '../../decide/event-words.ts';
import { arrayByLine } from './component-json.ts';
import type { SiteContext } from './site-context.ts';

/** The phases that an end of support may be of. What an id means never changes. */
const phases: Readonly<Record<string, string>> = {
  support: 'Support of a release line, for as long as the support policy of the component promises it.',
};

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
    definitions: {
      support: Object.entries(phases).map(([id, description]) => ({ id, description })),
    },
  };
  const opening = JSON.stringify(head, undefined, 2).slice(0, -'\n}'.length);
  return `${opening},\n  "events": ${arrayByLine(events.toReversed())}\n}\n`;
}

type WithoutPlace<Event> = Event extends CleEvent ? Omit<Event, 'id' | 'published'> : never;

/** An end that was stated of releases, and the events that state it. */
interface StatedEnd {
  readonly key: string;
  readonly until: string;
  readonly versions: readonly string[];
  readonly ids: readonly number[];
}

/**
 * The events of a journal in the words of the standard, oldest first. What a run states follows from the journal up to it alone,
 * so that no published event changes: what no longer holds is withdrawn.
 */
export function cleEvents(journal: readonly JournalEvent[]): CleEvent[] {
  const events: CleEvent[] = [];
  const state = foldJournal([]);
  /** Ids of the events that hold. */
  const released = new Map<string, number>();
  let replaced: number | undefined;
  let stated: StatedEnd[] = [];
  /** The last event on each end: where no day was known before, it is the day on which the end was seen. */
  const causes = new Map<string, JournalEvent>();
  let published = '';
  const add = (event: WithoutPlace<CleEvent>): number => {
    events.push({ id: events.length + 1, ...event, published } as CleEvent);
    return events.length;
  };
  const withdraw = (eventId: number, reason: string | undefined) =>
    add({ type: 'withdrawn', effective: published, eventId, ...(reason !== undefined && { reason }) });

  for (const run of Map.groupBy(journal, ({ at }) => at).values()) {
    published = run[0]!.at;
    const corrected = new Map<string, JournalEvent>();
    for (const event of run) {
      applyEvent(state, event);
      const { type, version, field } = event;
      if (type.startsWith('support-') && type !== 'support-ending') causes.set(endKey(event), event);
      if (type === 'renamed') rename(event);
      if (type === 'replaced') replace(event);
      if (type === 'corrected' && field !== 'line' && field !== 'isPrerelease')
        corrected.set(version!, event);
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
    if (replaced !== undefined) withdraw(replaced, undefined);
    replaced = undefined;
    if (to === undefined) return;
    const by = { supersededByVersion: `pkg:generic/${to}`, description: `Replaced by ${to}.` };
    replaced = add({ type: 'supersededBy', effective: toTimestamp(on), ...by });
  }

  /** A listed version that is not withdrawn is released; a corrected release is stated anew. */
  function stateReleases(run: readonly JournalEvent[], corrected: ReadonlyMap<string, JournalEvent>): void {
    for (const version of new Set(run.flatMap((event) => event.version ?? []))) {
      const { values, ...known } = state.versions.get(version)!;
      const { releaseTimestamp: day, timestampKind, changelogUrl } = values;
      const isThere = known.isListed && !known.isWithdrawn;
      const id = released.get(version);
      const correction = corrected.get(version);
      if (id !== undefined && (!isThere || correction)) {
        const cause = run.findLast(
          (event) => event.version === version && /^(?:withdrawn|excluded)$/.test(event.type),
        );
        withdraw(id, isThere ? `The ${fieldNames[correction!.field!]} was corrected.` : cause?.reason);
        released.delete(version);
      }
      if (!isThere || released.has(version)) continue;
      const about = {
        ...(timestampKind === 'observed' && { description: 'Released no later than that.' }),
        ...(changelogUrl !== undefined && { references: [changelogUrl] }),
      };
      released.set(version, add({ type: 'released', effective: toTimestamp(day!), version, ...about }));
    }
  }

  /** The ends of all that is released, each release line and phase by itself. */
  function stateEnds(): void {
    const wanted = new Map<string, { key: string; until: string }>();
    for (const version of released.keys())
      for (const phase of Object.keys(phases)) {
        const key = endKey({ line: state.versions.get(version)!.values.line, phase });
        const end = state.ends.get(key);
        const until = end?.until ?? (end?.isEnded ? causes.get(key)!.on : undefined);
        if (until !== undefined) wanted.set(`${phase} ${version}`, { key, until });
      }
    const phaseOf = (key: string) => key.slice(key.indexOf('/') + 1);
    const isWanted = ({ key, until }: StatedEnd, version: string) => {
      const end = wanted.get(`${phaseOf(key)} ${version}`);
      return end?.key === key && end.until === until;
    };
    const kept = stated.filter((end) =>
      end.versions.every((version) => !released.has(version) || isWanted(end, version)),
    );
    for (const { key, ids } of stated.filter((end) => !kept.includes(end)))
      for (const id of ids) withdraw(id, causes.get(key)?.reason);
    const isStated = new Set(
      kept.flatMap(({ key, versions }) => versions.map((of) => `${phaseOf(key)} ${of}`)),
    );
    const missing = [...wanted].filter(([of]) => !isStated.has(of));
    const groups = Map.groupBy(missing, ([, { key, until }]) => `${key} ${until}`);
    const added = Array.from(groups.values(), (group): StatedEnd => {
      const { key, until } = group[0]![1];
      const phase = phaseOf(key);
      const versions = group.map(([of]) => of.slice(phase.length + 1));
      const about = {
        effective: toTimestamp(until),
        versions: versions.map((version) => ({ version })),
        ...describe(causes.get(key)!),
      };
      const ids = [
        add({ type: 'endOfSupport', ...about, supportId: phase }),
        add({ type: 'endOfLife', ...about }),
      ];
      return { key, until, versions, ids };
    });
    stated = [...kept, ...added];
  }
}

function describe({ reason, timestampKind }: JournalEvent): { description?: string } {
  const bound = timestampKind === 'observed' ? 'No later than that.' : undefined;
  const text = [bound, reason].filter((part) => part !== undefined).join(' ');
  return text === '' ? {} : { description: text };
}
