import * as z from 'zod';
import { isDay } from '../../model/dates.ts';
import { nameForm } from '../definition/component-name.ts';
import { PhaseName } from '../definition/phase.ts';
import { optionalKey } from '../keys.ts';
import {
  ComponentName,
  createLineSchema,
  DaySchema,
  Flag,
  JournalInstant,
  OneLine,
  LineName,
  PositiveCount,
  VersionText,
} from '../scalars.ts';
import { showValue } from '../../text/show.ts';
import { maxUrlLength } from '../urls.ts';
import { PublishedReason } from '../published/reason.ts';
import { TimestampKind } from './recorded.ts';

/** The types of events, each with the keys that it needs besides the common ones. */
const requiredKeys = {
  released: ['version', 'line'],
  deprecated: ['rule'],
  restored: [],
  'support-announced': ['line', 'phase', 'to'],
  'support-moved': ['line', 'phase', 'from', 'to'],
  'support-dropped': ['line'],
  'support-ending': ['line', 'days'],
  'support-ended': ['line'],
  withdrawn: ['version'],
  relisted: ['version'],
  excluded: ['version'],
  included: ['version'],
  corrected: ['version', 'field', 'to'],
  republished: ['version', 'from', 'to'],
  renamed: ['from', 'to'],
  replaced: [],
  'advisory-published': ['advisory', 'to'],
  'advisory-changed': ['advisory', 'to'],
  'advisory-withdrawn': ['advisory'],
} as const;

type RequiredKey = (typeof requiredKeys)[EventType][number];

export type EventType = keyof typeof requiredKeys;
export const EventType = z.enum(Object.keys(requiredKeys) as [EventType, ...EventType[]]);

export const CorrectedField = z.enum([
  'releaseTimestamp',
  'timestampKind',
  'changelogUrl',
  'isPrerelease',
  'line',
]);
export type CorrectedField = z.infer<typeof CorrectedField>;

/** Names the edited file, or the edited default in it, and the first 10 digits of its commit. */
const editId = new RegExp(
  String.raw`^(?:(?:components|data)/${nameForm}\.json|site/site\.json#defaults\.[A-Za-z]{1,100})@[0-9a-f]{10}$`,
);

/** As long as an address may be. */
const Value = createLineSchema(maxUrlLength);

/** One line of `data/journal/<component>.ndjson`: a change of what the index states. */
export const JournalEvent = z.strictObject({
  /** Ascending within the component, without a gap unless a lost journal was accepted. */
  id: PositiveCount,
  /** Instant of the run that recorded it; all events of one run have the same. */
  at: JournalInstant,
  type: EventType,
  on: DaySchema.describe(
    'The day on which it takes effect, such as the release day or the last day with support.',
  ),
  /** For the first event: the first name of the component; ids keep it. */
  component: ComponentName.optional(),
  version: optionalKey(VersionText, 'The version of the release.'),
  advisory: optionalKey(OneLine, 'Id of the advisory.'),
  line: optionalKey(LineName, 'The release line, also that of a new release.'),
  phase: optionalKey(PhaseName, 'For an end of support: the phase that ends.'),
  phases: optionalKey(
    z.array(OneLine).min(2),
    'For an end of support of a line with several phases: their names in order, a paid one as "extended (paid)".',
  ),
  field: optionalKey(CorrectedField, 'For a correction: the value that was corrected.'),
  from: optionalKey(Value, 'The earlier value; absent if there was none.'),
  to: optionalKey(
    Value,
    'The new value; absent if there is none. For an end of support: the last day with it, or with toAtMost the earliest possible one.',
  ),
  toAtMost: optionalKey(
    DaySchema,
    'The latest possible last day with support, where the exact day is unknown.',
  ),
  rule: optionalKey(
    PublishedReason.shape.rule,
    'The kind of rule that decided it, as in details/.',
  ),
  reason: optionalKey(OneLine, 'The reason, as in details/.'),
  url: PublishedReason.shape.url,
  days: optionalKey(PositiveCount, 'For support-ending: 90, 30 or 7 days ahead.'),
  timestampKind: optionalKey(TimestampKind, 'observed: the release may be older than this day.'),
  isPrerelease: optionalKey(z.boolean(), 'true for a new prerelease.'),
  edit: optionalKey(
    z.string().regex(editId, { error: 'expected an edited file and its commit' }),
    'An edit that caused more than five events, as "<file>[#defaults.<key>]@<commit>", with the first 10 digits of the commit.',
  ),
  initial: Flag.describe('true in the first run with this component.'),
});
export type JournalEvent = z.infer<typeof JournalEvent>;

/** The first contradiction in a journal, or undefined. */
export function findDisorder(events: readonly JournalEvent[]): string | undefined {
  const released = new Set<string>();

  for (const [index, event] of events.entries()) {
    const problem =
      findSequenceProblem(event, events[index - 1]) ?? findTypeProblem(event, released);
    if (problem !== undefined) {
      return `line ${index + 1}: ${problem}. Lines are never changed: restore the file from git`;
    }

    if (event.version !== undefined) {
      released.add(event.version);
    }
  }

  return undefined;
}

/** Why an event cannot follow the previous one, or be the first. */
function findSequenceProblem(
  { id, at, component }: JournalEvent,
  previous: JournalEvent | undefined,
): string | undefined {
  if (!previous) {
    return component === undefined ? 'expected the component of the first event' : undefined;
  }

  // Ids go on above lost ones, where a person accepted a rewritten history.
  const isAfterGap = id > previous.id && at > previous.at;
  if (id !== previous.id + 1 && !isAfterGap) {
    return `expected the id ${previous.id + 1}; got ${id}`;
  }
  if (component !== undefined) {
    return 'names a component again';
  }

  return at < previous.at ? `${at} is before the line above it` : undefined;
}

/** Why an event cannot be of its type. `released`: the versions of the events before. */
function findTypeProblem(event: JournalEvent, released: ReadonlySet<string>): string | undefined {
  const { type, version, field, to } = event;
  const isNew = type === 'released';
  if (version !== undefined && released.has(version) === isNew) {
    return `"${version}" was ${isNew ? 'already' : 'not'} released before`;
  }

  const needsDay = type.startsWith('support-') || field === 'releaseTimestamp';
  if (needsDay && to !== undefined && !isDay(to)) {
    return `"to": expected a day that exists, YYYY-MM-DD; got ${showValue(to)}`;
  }

  const isVerdict = type === 'deprecated' || type === 'restored';
  if (isVerdict && version === undefined && event.line === undefined) {
    return `"${type}" lacks "version" or "line"`;
  }

  // An end of support may have only an upper bound.
  const values = { ...event, to: event.to ?? event.toAtMost };
  const keys: readonly RequiredKey[] = requiredKeys[type];
  const missingKey = keys.find((key) => values[key] === undefined);
  return missingKey && `"${type}" lacks "${missingKey}"`;
}
