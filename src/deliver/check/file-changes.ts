import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../core/model/dates.ts';
import type { JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import type { Component } from '../../decide/component.ts';
import { foldJournal } from '../../decide/fold-journal.ts';
import { describeChange, numberEvents } from '../../record/journal/events/describe-change.ts';
import { digestsFile, readEarlierFiles } from '../../site/digests.ts';

/** Names at most as many files of a group, and as many keys. */
const [maxFiles, maxKeys] = [30, 6];

/**
 * The files of two built sites that differ by a byte, in sentences. Files with the same state and the same changed keys share a
 * sentence: one cause often changes many. Omits the list of digests, which differs with any other file.
 */
export function describeFileChanges(before: string, after: string): string[] {
  const [past, present] = [readEarlierFiles(before), readEarlierFiles(after)];
  const paths = [...new Set([...past.keys(), ...present.keys()])].sort();
  const changedPaths = paths.filter(
    (path) => path !== digestsFile && past.get(path) !== present.get(path),
  );

  const groups = Map.groupBy(changedPaths, (path) => {
    if (!past.has(path)) {
      return 'new';
    }
    if (!present.has(path)) {
      return 'gone';
    }

    const keys = path.endsWith('.json') ? describeKeys(before, after, path) : '';
    return keys === '' ? 'changed' : `: ${keys}`;
  });

  return Array.from(groups, ([state, files]) => {
    const names = formatList(files, maxFiles);
    return state.startsWith(': ') ? `${names}${state}` : `${state}: ${names}`;
  }).sort();
}

function describeKeys(before: string, after: string, path: string): string {
  const keys = new Set<string>();
  const [was, now] = [before, after].map((folder): unknown =>
    JSON.parse(readFileSync(join(folder, path), 'utf8')),
  );
  collectKeys(was, now, '', keys);
  return formatList([...keys].sort(), maxKeys);
}

/** Adds the innermost key of each difference. Elements of lists of another length have no names. */
function collectKeys(was: unknown, now: unknown, key: string, keys: Set<string>): void {
  if (isDeepStrictEqual(was, now)) {
    return;
  }

  const isList = Array.isArray(was) && Array.isArray(now);
  if (!isObject(was) || !isObject(now) || (isList && was.length !== now.length)) {
    keys.add(key);
    return;
  }

  for (const name of new Set([...Object.keys(was), ...Object.keys(now)])) {
    collectKeys(was[name], now[name], isList ? key : name, keys);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

interface IndexChanges {
  /** The events that a run would record of the change, by component. */
  readonly events: ReadonlyMap<string, readonly JournalEvent[]>;
  /** A sentence for each component that is no longer there. */
  readonly removed: readonly string[];
}

/** The events that a run would record of the change, after those that a run before the change would record. */
export function listIndexChanges(
  before: readonly Component[],
  after: readonly Component[],
  day: Day,
): IndexChanges {
  const at = `${day}T00:00:00.000Z`;
  const remaining = new Map(before.map((component) => [component.name, component]));
  const events = new Map<string, readonly JournalEvent[]>();

  for (const component of after) {
    const { renamedFrom = [] } = component.definition;
    const name = [component.name, ...renamedFrom.toReversed()].find((candidate) =>
      remaining.has(candidate),
    );
    const former = remaining.get(name ?? '');
    const journal = former ? recordChange(former.journal, former, day, at) : [];
    const allEvents = recordChange(journal, component, day, at);
    remaining.delete(name ?? '');
    if (allEvents.length > journal.length) {
      events.set(component.name, allEvents.slice(journal.length));
    }
  }

  const removed = Array.from(remaining.values(), ({ name, judgement }) => {
    return `${name}: no longer there, with its ${formatCount(judgement.releases.length, 'release')}.`;
  });
  return { events, removed };
}

/** A journal with the events that a run would append. */
function recordChange(
  journal: readonly JournalEvent[],
  component: Component,
  day: Day,
  at: string,
): readonly JournalEvent[] {
  const drafts = describeChange(foldJournal(journal), component, day);
  return [...journal, ...numberEvents(journal, drafts, at, component)];
}
