import { cutDay } from '../core/model/dates.ts';
import { hasEnded, onlyPhase } from '../core/model/phases.ts';
import { describePhaseName, describeDayRange, markInferred } from '../core/model/words.ts';
import type { PublishedChange } from '../core/schemas/published/changes-file.ts';
import type { CorrectedField, EventType, JournalEvent } from '../core/schemas/recorded/journal.ts';
import { formatCount, formatNumber, endSentence } from '../core/text/wording.ts';
import { isPaidPhase } from './fold-journal.ts';

type EventFacts = Omit<JournalEvent, 'id'>;

/** The fields of a release that a journal corrects, and its deprecation, as people call them. */
export const recordedFieldLabels: Readonly<Record<CorrectedField | 'deprecated', string>> = {
  releaseTimestamp: 'release day',
  timestampKind: 'kind of the release day',
  changelogUrl: 'changelog link',
  isPrerelease: 'prerelease flag',
  line: 'release line',
  deprecated: 'deprecation upstream',
};

/**
 * The published form of a journal's events, oldest first. An event depends only on earlier events, so published events never
 * change.
 */
export function toPublishedEvents(events: readonly JournalEvent[]): PublishedChange[] {
  // The first event names its component.
  const firstName = events[0]?.component ?? '';
  const published: PublishedChange[] = [];
  let component = firstName;

  for (const event of events) {
    const { id, at, type, on, component: _, ...details } = event;
    if (type === 'renamed') {
      component = details.to ?? component;
    }

    // Documents have the keys in this order.
    const text = describeEvent(event);
    published.push({ id: `${firstName}/${id}`, at, type, on, component, ...details, text });
  }

  return published;
}

/** Describes an event by its own facts only, so its sentence never changes. */
export function describeEvent(event: EventFacts): string {
  const { type, version, on, from, to, toAtMost, advisory, reason } = event;
  const why = reason === undefined ? '.' : `: ${endSentence(reason)}`;

  switch (type) {
    case 'released':
      return `${version} was released ${event.timestampKind === 'observed' ? 'no later than' : 'on'} ${on}.`;
    case 'deprecated':
      return `${nameSubject(event)} is deprecated${why}`;
    case 'restored':
      return `${nameSubject(event)} is no longer deprecated${why}`;
    case 'withdrawn':
      return `${version} was withdrawn${why}`;
    case 'relisted':
      return `${version} is listed again${why}`;
    case 'excluded':
      return `${version} was left out${why}`;
    case 'included':
      return `${version} is in the index again${why}`;
    case 'corrected':
      return `${version}: the ${recordedFieldLabels[event.field!]} was ${from ?? 'not known'} and is ${to} now${why}`;
    case 'republished':
      return `${version} was republished: ${from} before, ${to} now.`;
    case 'renamed':
      return `${from} is called ${to} now.`;
    case 'replaced':
      return to === undefined ? `No longer replaced by ${from}.` : `Replaced by ${to}.`;
    case 'advisory-published':
      return `${advisory} affects ${to}${why}`;
    case 'advisory-changed':
      return `${advisory} now affects ${to}${why}`;
    case 'advisory-withdrawn':
      return `${advisory} was withdrawn.`;
    case 'support-announced':
      return `${describeEnd(event)}${why}`;
    case 'support-moved':
      return `${describeEnd(event)}, instead of ${from}${why}`;
    case 'support-ending':
      return describeNearEnd(event);
    case 'support-ended':
      return `${nameSupport(event)} ended ${toAtMost === undefined ? 'on' : 'no later than'} ${on}${why}`;
    case 'support-dropped':
      return describeDroppedEnd(event);
  }
}

/** `Support of release line 1.0 ends on 2026-12-31`, of an end that was announced or moved: both state `to` or `toAtMost`. */
function describeEnd(event: EventFacts): string {
  const { at, to, toAtMost } = event;
  const lastDay = toAtMost ?? to;
  const verb = hasEnded({ until: lastDay }, cutDay(at)) ? 'ended' : 'ends';
  const words =
    toAtMost === undefined ? `on ${lastDay}` : describeDayRange({ from: to, atMost: toAtMost });
  return `${nameSupport(event)} ${verb} ${words}`;
}

function describeNearEnd(event: EventFacts): string {
  const { on, days, toAtMost, reason } = event;
  const verb = toAtMost === undefined ? 'ends' : 'may end';

  // The reason of an end that rests on an inferred rule. After an end of its own, the line has another: `…, by example.com`.
  const isInferred = /^Inferred: (?!.*\d, by )|, inferred$/.test(reason ?? '');
  const end = markInferred(on, isInferred);
  return `${nameSupport(event)} ${verb} on ${end}, in ${days} days or less.`;
}

function describeDroppedEnd(event: EventFacts): string {
  const { from, rule, reason } = event;
  if (from !== undefined) {
    return `${nameSupport(event)} no longer has a stated end; it was ${from}.`;
  }

  // A phase that goes on has the reason of a rule. Without a rule, the reason says why the line has no such phase.
  return rule === undefined && reason !== undefined
    ? `${nameSupport(event)} was dropped: ${endSentence(reason)}`
    : `${nameSupport(event)} goes on.`;
}

/** `Support of release line 1.0`, `Phase extended (paid) of release line 1.0`. */
function nameSupport(event: EventFacts): string {
  const { phase = onlyPhase } = event;
  const name = describePhaseName({ name: phase, paid: isPaidPhase(event) || undefined });
  return `${name === onlyPhase ? 'Support' : `Phase ${name}`} of ${nameSubject(event)}`;
}

function nameSubject({ version, line }: EventFacts): string {
  return version ?? `release line ${line}`;
}

/** Predicates for many releases or lines, to follow their number. */
const predicates: Readonly<Partial<Record<EventType, string>>> = {
  released: 'were added',
  deprecated: 'are deprecated',
  restored: 'are no longer deprecated',
  withdrawn: 'were withdrawn',
  relisted: 'are listed again',
  excluded: 'were left out',
  included: 'are in the index again',
  corrected: 'were corrected',
  republished: 'were republished under the same version',
  'advisory-published': 'were published',
  'advisory-changed': 'have changed',
  'advisory-withdrawn': 'were withdrawn',
  'support-announced': 'have an end of support',
  'support-moved': 'have another end of support',
  'support-dropped': 'have no stated end of support any more',
  'support-ending': 'end their support soon',
  'support-ended': 'are out of support',
};

/** `3 release lines are out of support: 1.0, 1.1, 1.2.`; `size` is made by `describeSize`. */
export function describeMany(type: EventType, size: string, names: string): string {
  return `${size} ${predicates[type] ?? 'changed'}${names && `: ${names}`}.`;
}

/** `3 release lines`, `2,340 advisories`: the number of subjects of events of a type. */
export function describeSize(
  type: string,
  count: number,
  noun: 'release' | 'release line',
): string {
  return type.startsWith('advisory-')
    ? `${formatNumber(count)} ${count === 1 ? 'advisory' : 'advisories'}`
    : formatCount(count, noun);
}
