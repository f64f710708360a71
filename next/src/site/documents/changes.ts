/** Events as readers see them: `changes.json`, `changes/<year>.json`, `builds/<year>.json`. */
import type { Index } from '../../core/judged-index.ts';
import type { Change } from '../../core/schema/documents.ts';
import type { Event } from '../../core/schema/events.ts';
import type { Component } from '../../core/schema/published.ts';
import { endSentence } from '../../core/text.ts';
import type { TextFile } from '../output.ts';

const maxChanges = 1000;

/** The name in ids that readers keep, which renaming must not change. */
export function nameInIds({ component, renamedFrom = [] }: Component): string {
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

/** The years of events or runs, the oldest first. */
export function listYears(items: readonly { readonly at: string }[]): string[] {
  return [...new Set(items.map(({ at }) => at.slice(0, 4)))].sort();
}

/** `changes`: newest first. */
export function* renderChanges(changes: readonly Change[], { runs }: Index): Generator<TextFile> {
  yield ['changes.json', renderList('changes', changes.slice(0, maxChanges))];
  const lists = { changes, builds: runs.toReversed() };
  for (const [key, items] of Object.entries<readonly { at: string }[]>(lists)) {
    for (const [year, group] of Map.groupBy(items, ({ at }) => at.slice(0, 4))) {
      yield [`${key}/${year}.json`, renderList(key, group)];
    }
  }
}

function renderList(key: string, items: readonly object[]): string {
  return `{"${key}": [${items.map((item) => `\n${JSON.stringify(item)}`).join(',')}\n]}\n`;
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
  corrected: ({ field, to }) => `was corrected: its ${field} is ${to} now`,
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
  const former = from === undefined ? '' : `, not ${from}`;
  return `${end ? `is supported until ${end}` : 'has no stated end of support'}${former}`;
}

function describeEvent(title: string, event: Told): string {
  const { type, version, line, advisory, reason } = event;
  const subject = advisory
    ? `Advisory ${advisory} on ${title}`
    : `${title} ${version ?? line ?? ''}`.trimEnd();
  const sentence = endSentence(`${subject} ${predicates[type](event)}`);
  return reason ? `${sentence} ${endSentence(reason)}` : sentence;
}
