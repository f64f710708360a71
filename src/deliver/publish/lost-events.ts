/** The comparison of events that readers of the live site have with the journals. */
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import {
  readPublishedIds,
  listJournals,
  readJournal,
  listRuns,
} from '../../io/files/recorded-files.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { findDecidedComponent } from '../../record/gate/rules/waiting-change.ts';
import type { LiveEvent } from './live.ts';

/** The kind of findings about events that readers would lose. */
export const lostEvents = 'lost events';

/**
 * A problem if readers of the live site have events that the journals lack, or ids that name other events there: this checkout is
 * behind, or its history was rewritten. Events of a component that a decision removed may be missing. `decisions`: those of the
 * present run.
 */
export function findLostEvents(
  root: Root,
  events: readonly LiveEvent[],
  decisions: readonly string[] = [],
): Finding | undefined {
  const removedNames = listRemoved(root, decisions);
  const { missing, renamed } = listLostEvents(
    root,
    events.filter(({ id }) => !removedNames.has(splitId(id).component)),
  );

  const problems: string[] = [];
  if (missing.length > 0) {
    problems.push(
      `has ${formatCount(missing.length, 'event')} that the journals lack: ${formatEvents(missing)}`,
    );
  }
  if (renamed.length > 0) {
    problems.push(
      `calls ${formatCount(renamed.length, 'event')} by ids of others in the journals: ${formatEvents(renamed)}`,
    );
  }
  if (problems.length === 0) {
    return undefined;
  }

  const remedy =
    'Nothing was recorded or published. If this checkout is behind: git pull. If its history was rewritten: restore the lost commits, or go on from the present commit: npx release-index accept history';
  return { ...problem('live site', `${problems.join(', and ')}. ${remedy}`), kind: lostEvents };
}

/** The components that a decision is about and that are no longer there. */
function listRemoved(root: Root, decisions: readonly string[]): Set<string> {
  const accepted = listRuns(root).runs.flatMap((run) => run.accepted ?? []);
  const components = [...accepted, ...decisions].map(findDecidedComponent);
  return new Set(components).difference(new Set(listComponents(root).names));
}

/** The greatest live id of each component with lost events. */
export function findLostIds(root: Root, events: readonly LiveEvent[]): Record<string, number> {
  const { missing, renamed } = listLostEvents(root, events);
  const components = new Set([...missing, ...renamed].map(({ id }) => splitId(id).component));
  const ids = new Map<string, number>();
  for (const event of events) {
    const { component, number } = splitId(event.id);
    if (components.has(component)) {
      ids.set(component, Math.max(number, ids.get(component) ?? 0));
    }
  }
  return Object.fromEntries(ids);
}

/** The events that the journals lack, and those whose ids name other events there; without events that a person has given up. */
function listLostEvents(root: Root, events: readonly LiveEvent[]) {
  const recorded = readRecordedEvents(root);
  const givenUpIds = readPublishedIds(root);
  const missing: LiveEvent[] = [];
  const renamed: LiveEvent[] = [];

  for (const event of events) {
    const { component, number } = splitId(event.id);
    const description = recorded.get(event.id);
    if (number <= (givenUpIds.get(component) ?? 0)) {
      continue;
    }

    if (description === undefined) {
      missing.push(event);
    } else if (description !== nameEvent(event)) {
      renamed.push(event);
    }
  }

  return { missing, renamed };
}

/** The parts of a published id. */
function splitId(id: string): { component: string; number: number } {
  const slash = id.lastIndexOf('/');
  return { component: id.slice(0, slash), number: Number(id.slice(slash + 1)) };
}

function formatEvents(events: readonly LiveEvent[]): string {
  return formatList(
    events.map((event) => `${event.id} (${nameEvent(event)})`),
    3,
  );
}

/** Descriptions of the events in all journals, by their published ids. A renamed component keeps its former name in ids. */
function readRecordedEvents(root: Root): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>();
  for (const name of listJournals(root)) {
    const events = readJournal(root, name).value?.values ?? [];
    const { component = name } = events[0] ?? {};
    for (const event of events) {
      descriptions.set(`${component}/${event.id}`, nameEvent(event));
    }
  }
  return descriptions;
}

/** The type, subject and instant of an event. */
function nameEvent({ at, type, version, line, advisory }: Omit<LiveEvent, 'id'>): string {
  return [type, version ?? line ?? advisory, at].filter(Boolean).join(' ');
}
