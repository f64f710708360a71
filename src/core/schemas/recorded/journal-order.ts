import type { EventType, JournalEvent } from './journal.ts';

/** The first contradiction in a journal, or undefined. */
export function findDisorder(events: readonly JournalEvent[]): string | undefined {
  const released = new Set<string>();

  for (const [index, event] of events.entries()) {
    const problem = findEventProblem(event, events[index - 1], released);
    if (problem !== undefined) {
      return `line ${index + 1}: ${problem}. Lines are never changed: restore the file from git`;
    }

    if (event.type === 'released' && event.version !== undefined) {
      released.add(event.version);
    }
  }

  return undefined;
}

/** `released`: the versions of the events before. */
function findEventProblem(
  event: JournalEvent,
  previous: JournalEvent | undefined,
  released: ReadonlySet<string>,
): string | undefined {
  const { id, at, type, version, component } = event;
  if (previous) {
    // Ids go on above lost ones, where a person accepted a rewritten history.
    const isAfterGap = id > previous.id && at > previous.at;
    if (id !== previous.id + 1 && !isAfterGap) {
      return `expected the id ${previous.id + 1}; got ${id}`;
    }
    if (component !== undefined) {
      return 'names a component again';
    }
    if (at < previous.at) {
      return `${at} is before the line above it`;
    }
  } else if (component === undefined) {
    return 'expected the component of the first event';
  }

  if (version !== undefined && type !== 'released' && !released.has(version)) {
    return `"${version}" was not released before`;
  }

  // An end of support may have only an upper bound.
  const values = { ...event, to: event.to ?? event.toAtMost };
  const missingKey = requiredKeys[type]?.find((key) => values[key] === undefined);
  return missingKey && `"${type}" lacks "${missingKey}"`;
}

/** The keys without which no state can be computed after an event. */
const requiredKeys: Readonly<Partial<Record<EventType, readonly (keyof JournalEvent)[]>>> = {
  released: ['version', 'line'],
  deprecated: ['rule'],
  'support-announced': ['line', 'phase', 'to'],
  'support-moved': ['line', 'phase', 'to'],
  'advisory-published': ['advisory'],
  'advisory-changed': ['advisory'],
  'advisory-withdrawn': ['advisory'],
  withdrawn: ['version'],
  relisted: ['version'],
  excluded: ['version'],
  included: ['version'],
  corrected: ['version', 'field'],
  republished: ['version', 'from', 'to'],
  renamed: ['to'],
};
