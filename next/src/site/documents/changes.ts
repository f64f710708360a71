/** Events as readers see them: `changes.json`, `changes/<year>.json`, `builds/<year>.json`. */
import type { Index } from '../../core/judged-index.ts';
import type { Change } from '../../core/schema/documents.ts';
import type { Event } from '../../core/schema/events.ts';
import type { Component } from '../../core/schema/published.ts';
import { endSentence, formatCount } from '../../core/text.ts';

const maxChanges = 1000;

/** The name in ids that readers keep, which renaming must not change. */
export function nameInIds({
  component,
  renamedFrom = [],
}: Pick<Component, 'component' | 'renamedFrom'>): string {
  return renamedFrom[0] ?? component;
}

/** The events of a component, newest first. */
export function listChanges(component: Component, journal: readonly Event[] = []): Change[] {
  return journal
    .map(({ id, ...event }) => ({
      ...event,
      id: `${nameInIds(component)}/${id}`,
      component: component.component,
      text: describeEvent(component.title, event),
    }))
    .reverse();
}

/** The events of all components, newest first; of a run, the last component and its last event first. */
export function listAllChanges({ components, journals }: Index): Change[] {
  const changes = components
    .toReversed()
    .flatMap((component) => listChanges(component, journals.get(component.component)));
  return changes.sort((a, b) => Number(a.at < b.at) - Number(a.at > b.at));
}

/** `changes`: newest first. */
export function* renderChanges(
  changes: readonly Change[],
  { runs }: Index,
): Generator<[path: string, body: string]> {
  yield ['changes.json', renderList('changes', changes.slice(0, maxChanges))];
  for (const [year, group] of Map.groupBy(changes, ({ at }) => at.slice(0, 4))) {
    yield [`changes/${year}.json`, renderList('changes', group)];
  }
  for (const [year, group] of Map.groupBy(runs.toReversed(), ({ at }) => at.slice(0, 4))) {
    yield [`builds/${year}.json`, renderList('builds', group)];
  }
}

function renderList(key: string, items: readonly object[]): string {
  return `{"${key}": [${items.map((item) => `\n${JSON.stringify(item)}`).join(',')}\n]}\n`;
}

/** One event, or several of a run, in lists for people. */
export interface Entry {
  /** That of its last event. */
  id: string;
  at: string;
  type: string;
  title: string;
  /** Newest first. */
  changes: readonly Change[];
}

/** More events of one type in a run share an entry. */
const maxSingle = 20;

/** `changes`: newest first. The events of components that a run added are one entry. */
export function listEntries(
  changes: readonly Change[],
  titles: ReadonlyMap<string, string>,
): Entry[] {
  const groups = Map.groupBy(changes, ({ at, initial, component, type }) =>
    initial ? at : [at, component, type].join(' '),
  );
  return [...groups.values()].flatMap((group): Entry[] => {
    const { id, at, component, type, initial } = group[0]!;
    const name = titles.get(component)!;
    if (initial) {
      const { size } = new Set(group.map((change) => change.component));
      const subject = size === 1 ? name : formatCount(size, 'component');
      const releases = group.filter((change) => change.type === 'released');
      const title = `${subject} added, with ${formatCount(releases.length, 'release')}`;
      return [{ id, at, type: 'added', title, changes: group }];
    }
    if (group.length > maxSingle) {
      const title = `${name}: ${group.length} ${type.replaceAll('-', ' ')}`;
      return [{ id, at, type, title, changes: group }];
    }

    return group.map((change) => {
      const title = describeEvent(name, { ...change, reason: undefined });
      return { id: change.id, at, type, title, changes: [change] };
    });
  });
}

type Told = Omit<Event, 'id'>;

/** What happened, after the name of its subject. */
const predicates: Readonly<Record<Event['type'], (event: Told) => string>> = {
  released: ({ on, isObserved, timestampKind }) =>
    `was released ${isObserved || timestampKind === 'observed' ? 'on or before' : 'on'} ${on}`,
  withdrawn: () => 'was withdrawn',
  relisted: () => 'is listed again',
  excluded: () => 'is no longer in this index',
  included: () => 'is in this index again',
  deprecated: () => 'is deprecated',
  restored: () => 'is no longer deprecated',
  corrected: ({ field, from, to }) => `was corrected: its ${field} is ${to}${showFormer(from)}`,
  republished: () => 'has other bytes than recorded',
  'support-changed': describeEnd,
  'support-announced': describeEnd,
  'support-ending': ({ on }) => `will soon be out of support: its last sure day is ${on}`,
  'support-ended': () => 'is no longer supported',
  'advisory-published': ({ to }) => `was published: it affects ${to}`,
  'advisory-changed': ({ to }) => `was changed: it affects ${to}`,
  'advisory-withdrawn': () => 'was withdrawn',
  replaced: ({ to }) => (to === undefined ? 'is no longer replaced' : `is replaced by ${to}`),
};

function describeEnd({ from, to, toAtMost }: Told): string {
  const end = to ?? (toAtMost && `${toAtMost} at the latest`);
  return `${end ? `is supported until ${end}` : 'has no stated end of support'}${showFormer(from)}`;
}

function showFormer(from: string | undefined): string {
  return from === undefined ? '' : `, not ${from}`;
}

function describeEvent(title: string, event: Told): string {
  const { type, version, line, advisory, reason } = event;
  const name = [title, version ?? line].filter(Boolean).join(' ');
  const subject = advisory === undefined ? name : `Advisory ${advisory} on ${title}`;
  const sentence = endSentence(`${subject} ${predicates[type](event)}`);
  return reason === undefined ? sentence : `${sentence} ${endSentence(reason)}`;
}
