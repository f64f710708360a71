import { dayOf } from '../core/dates.ts';
import { onlyPhase, phaseLabel } from '../core/phases.ts';
import type { CorrectedField, EventType, JournalEvent } from '../core/schemas/journal.ts';
import { sentence } from '../core/text.ts';

type Described = Omit<JournalEvent, 'id'>;

/** The names of recorded values for people. */
export const fieldNames: Readonly<Record<CorrectedField | 'deprecated', string>> = {
  releaseTimestamp: 'release day',
  timestampKind: 'kind of the release day',
  changelogUrl: 'changelog link',
  isPrerelease: 'prerelease flag',
  line: 'release line',
  deprecated: 'deprecation upstream',
};

/** An event in a sentence that follows from it alone, so that it stays the same on every later day. */
export function eventText(event: Described): string {
  const { type, version, from, to, reason } = event;
  const why = reason === undefined ? '.' : `: ${sentence(reason)}`;
  switch (type) {
    case 'released':
      return `${version} was released ${event.timestampKind === 'observed' ? 'no later than' : 'on'} ${event.on}.`;
    case 'deprecated':
      return `${subjectOf(event)} is deprecated${why}`;
    case 'restored':
      return `${subjectOf(event)} is no longer deprecated${why}`;
    case 'withdrawn':
      return `${version} was withdrawn${why}`;
    case 'relisted':
      return `${version} is listed again${why}`;
    case 'excluded':
      return `${version} was left out${why}`;
    case 'included':
      return `${version} is in the index again${why}`;
    case 'corrected':
      return `${version}: the ${fieldNames[event.field!]} was ${from ?? 'not known'} and is ${to} now${why}`;
    case 'republished':
      return `${version} was republished: ${from} before, ${to} now.`;
    case 'renamed':
      return `${from} is called ${to} now.`;
    case 'replaced':
      return to === undefined ? `No longer replaced by ${from}.` : `Replaced by ${to}.`;
    case 'advisory-published':
      return `${event.advisory} affects ${to}${why}`;
    case 'advisory-changed':
      return `${event.advisory} now affects ${to}${why}`;
    case 'advisory-withdrawn':
      return `${event.advisory} was withdrawn.`;
    default:
      return supportText(event, why);
  }
}

function supportText(event: Described, why: string): string {
  const { type, at, on, from, to, days, timestampKind, phase = onlyPhase, phases } = event;
  const name = phases?.find((label) => label === phaseLabel({ name: phase, paid: true })) ?? phase;
  const support = `${name === onlyPhase ? 'Support' : `Phase ${name}`} of ${subjectOf(event)}`;
  const endsOn = (day: string) => {
    const isBound = timestampKind === 'observed';
    return `${day <= dayOf(at) ? 'ended' : 'ends'} ${isBound ? 'no later than' : 'on'} ${day}`;
  };
  if (type === 'support-announced') return `${support} ${endsOn(to!)}${why}`;
  if (type === 'support-moved') return `${support} ${endsOn(to!)}, instead of ${from}${why}`;
  if (type === 'support-ending') return `${support} ${endsOn(on)}, in ${days} days or less.`;
  if (type === 'support-ended') return `${support} ${endsOn(on)}${why}`;
  return from === undefined
    ? `${support} goes on.`
    : `${support} no longer has a stated end; it was ${from}.`;
}

function subjectOf({ version, line }: Described): string {
  return version ?? `release line ${line}`;
}

/** Events of many releases or lines at once, in words that follow their number. */
const happened: Readonly<Partial<Record<EventType, string>>> = {
  released: 'were added',
  deprecated: 'are deprecated',
  restored: 'are no longer deprecated',
  withdrawn: 'were withdrawn',
  relisted: 'are listed again',
  excluded: 'were left out, as the definition no longer admits them',
  included: 'are in the index again, as the definition admits them again',
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

export function happenedToMany(type: EventType): string {
  return happened[type] ?? 'changed';
}
