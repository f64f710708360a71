/** Events as readers see them: `changes.json`, `changes/<year>.json`, `builds/<year>.json`. */
import type { Index } from '../../core/judged-index.ts';
import type { Change } from '../../core/schema/documents.ts';
import type { Event } from '../../core/schema/events.ts';
import type { Component } from '../../core/schema/published.ts';
import { endSentence } from '../../core/text.ts';

const maxChanges = 1000;

/** The events of a component, newest first. */
export function listChanges({ component, title }: Component, journal: readonly Event[]): Change[] {
  return journal
    .map(({ id, ...event }) => ({
      ...event,
      id: `${component}/${id}`,
      component,
      text: describeEvent(title, event),
    }))
    .reverse();
}

function listAll({ components, journals }: Index): Change[] {
  const changes = components.flatMap((component) =>
    listChanges(component, journals.get(component.component) ?? []),
  );
  // Stable: by component and number within a run.
  return changes.sort((a, b) => (a.at < b.at ? 1 : Number(a.at > b.at) * -1));
}

export function* renderChanges(index: Index): Generator<[path: string, body: string]> {
  const all = listAll(index);
  yield ['changes.json', renderList('changes', all.slice(0, maxChanges))];
  for (const [year, changes] of Map.groupBy(all, ({ at }) => at.slice(0, 4))) {
    yield [`changes/${year}.json`, renderList('changes', changes)];
  }
  for (const [year, runs] of Map.groupBy(index.runs.toReversed(), ({ asOf }) => asOf.slice(0, 4))) {
    yield [`builds/${year}.json`, renderList('builds', runs)];
  }
}

function renderList(key: string, items: readonly object[]): string {
  return `{"${key}": [${items.map((item) => `\n${JSON.stringify(item)}`).join(',')}\n]}\n`;
}

const words: Readonly<Record<Event['type'], string>> = {
  released: 'was released',
  withdrawn: 'was withdrawn',
  relisted: 'is listed again',
  excluded: 'is no longer in this index',
  included: 'is in this index again',
  deprecated: 'is deprecated',
  restored: 'is no longer deprecated',
  corrected: 'was corrected',
  republished: 'has other bytes than recorded',
  'support-changed': 'has another end of support',
  'support-announced': 'has another end of support',
  'support-ending': 'ends soon',
  'support-ended': 'is no longer supported',
  'advisory-published': 'was published',
  'advisory-changed': 'was changed',
  'advisory-withdrawn': 'was withdrawn',
  replaced: 'is replaced',
};

function describeEvent(
  title: string,
  { type, version, line, advisory, field, from, to, toAtMost, reason }: Omit<Event, 'id'>,
): string {
  const subject =
    advisory === undefined
      ? [title, version ?? line].filter(Boolean).join(' ')
      : `Advisory ${advisory} on ${title}`;
  const end =
    type.startsWith('support-') && type !== 'support-ending' && type !== 'support-ended'
      ? `: ${to ?? (toAtMost === undefined ? 'none stated' : `${toAtMost} at the latest`)}`
      : '';
  const correction = type === 'corrected' ? `: ${field} from ${from ?? 'none'} to ${to}` : '';
  const target = type === 'replaced' && to !== undefined ? ` by ${to}` : '';
  const why = reason === undefined ? '' : `. ${reason}`;
  return endSentence(`${subject} ${words[type]}${target}${end}${correction}${why}`);
}
