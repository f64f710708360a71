import { basename } from 'node:path';
import { cutDay, type Day } from '../../core/model/dates.ts';
import { fileProblem } from '../../core/schemas/finding.ts';
import { JournalEvent, type EventType } from '../../core/schemas/recorded/journal.ts';
import { listNames, sha256 } from './file-system.ts';
import type { ReadResult } from './read-documents.ts';
import { readLines, type Lines } from './read-lines.ts';
import { isWritable, journalPath, recordedFolder, type Root } from './root.ts';

/** Empty for a component without a journal. */
export function readJournal(root: Root, component: string): ReadResult<Lines<JournalEvent>> {
  const name = `data/journal/${component}.ndjson`;
  const result = readLines(journalPath(root, component), name, JournalEvent);
  const disorder = result.value && findDisorder(result.value.values);
  return disorder === undefined
    ? result
    : { findings: [...result.findings, fileProblem(name, disorder)] };
}

/** A digest over all journals. Each run records it. */
export function digestJournals(root: Root): string {
  const lines = listJournals(root).map((name) => {
    const { text = '' } = readJournal(root, name).value ?? {};
    return `${sha256(text)} ${name}\n`;
  });
  return sha256(lines.join(''));
}

/** Names of all components with a journal, including components that left the index. */
export function listJournals(root: Root): string[] {
  const files = listNames(recordedFolder(root, 'journal'), /^[^.].*\.ndjson$/s);
  const names = files.map((file) => basename(file, '.ndjson'));

  // The journal of a removed component stays until a person accepts its removal.
  const removedNames = Array.from(root.lastGood?.keys() ?? []).filter(
    (name) => !isWritable(root, name, 'journal'),
  );
  return [...new Set([...names, ...removedNames])].sort();
}

/** The number of events in all journals up to a day: the sum of their last ids. */
export function countEvents(root: Root, day: Day): number {
  let sum = 0;
  for (const name of listJournals(root)) {
    const events = readJournal(root, name).value?.values ?? [];
    sum += events.findLast(({ at }) => cutDay(at) <= day)?.id ?? 0;
  }
  return sum;
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

/** The first contradiction in a journal, or undefined. */
function findDisorder(events: readonly JournalEvent[]): string | undefined {
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
