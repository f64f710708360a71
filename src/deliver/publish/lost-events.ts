import { problem, type Finding } from '../../core/schemas/finding.ts';
import type { JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import {
  listRuns,
  readEventsByFirstName,
  readPublishedIds,
} from '../../io/files/recorded-files.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { readFormerNames } from '../../record/gate/last-good-files.ts';
import { findDecidedComponent } from '../../record/gate/rules/waiting-change.ts';
import type { LiveEvent } from './live.ts';

/** The kind of findings about events that readers would lose. */
export const lostEvents = 'lost events';

/**
 * The problem of events of the live site that the journals lack, or whose ids the journals give to other events: this checkout is
 * behind, or its history was rewritten. `decisions`: the ids of decisions of the present run.
 */
export function findLostEvents(
  root: Root,
  events: readonly LiveEvent[],
  decisions?: readonly string[],
): Finding | undefined {
  const { missing, replaced } = listLostEvents(root, events, decisions);
  const problems: string[] = [];
  if (missing.length > 0) {
    problems.push(
      `has ${formatCount(missing.length, 'event')} that the journals lack: ${formatEvents(missing)}`,
    );
  }
  if (replaced.length > 0) {
    problems.push(
      `calls ${formatCount(replaced.length, 'event')} by ids of others in the journals: ${formatEvents(replaced)}`,
    );
  }
  if (problems.length === 0) {
    return undefined;
  }

  const remedy =
    'Nothing was recorded or published. If this checkout is behind: git pull. If its history was rewritten: restore the lost commits, or go on from the present commit: npx release-index accept history';
  return { ...problem('live site', `${problems.join(', and ')}. ${remedy}`), kind: lostEvents };
}

/** The greatest live id of each component with lost events. */
export function findGreatestIds(root: Root, events: readonly LiveEvent[]): Record<string, number> {
  const { missing, replaced } = listLostEvents(root, events);
  const components = new Set([...missing, ...replaced].map(({ id }) => splitId(id).component));
  const greatestIds = new Map<string, number>();
  for (const event of events) {
    const { component, number } = splitId(event.id);
    if (components.has(component)) {
      greatestIds.set(component, Math.max(number, greatestIds.get(component) ?? 0));
    }
  }
  return Object.fromEntries(greatestIds);
}

/**
 * The events that the journals lack, and those whose id is another event there; without events that a person has given up. A journal
 * may have gone with a component that a decision removed.
 */
function listLostEvents(
  root: Root,
  events: readonly LiveEvent[],
  decisions: readonly string[] = [],
) {
  const recordedEvents = new Map<string, JournalEvent>();
  for (const [name, journal] of readEventsByFirstName(root)) {
    for (const event of journal) {
      recordedEvents.set(`${name}/${event.id}`, event);
    }
  }

  const { names } = listComponents(root);
  const removedNames = listRemovedNames(root, names, decisions);
  // Ids have the first name of a component that was renamed before it was removed. A later component may have that name now.
  const removed = events.filter(({ component = '' }) => removedNames.has(component));
  const removedFirstNames = new Set(removed.map(({ id }) => splitId(id).component)).difference(
    new Set(names),
  );
  const givenUpIds = readPublishedIds(root);
  const missing: LiveEvent[] = [];
  const replaced: LiveEvent[] = [];

  for (const event of events) {
    const { component, number } = splitId(event.id);
    if (number <= (givenUpIds.get(component) ?? 0)) {
      continue;
    }

    const recorded = recordedEvents.get(event.id);
    if (recorded && !isSameEvent(recorded, event)) {
      replaced.push(event);
    }
    const isRemoved = removedNames.has(component) || removedFirstNames.has(component);
    if (!recorded && !isRemoved) {
      missing.push(event);
    }
  }

  return { missing, replaced };
}

/** The names that decisions are about, and that no component has or had: a decision removed their components. */
function listRemovedNames(
  root: Root,
  names: readonly string[],
  decisions: readonly string[],
): Set<string> {
  const accepted = listRuns(root).runs.flatMap((run) => run.accepted ?? []);
  const decidedNames = [...accepted, ...decisions].flatMap((id) => findDecidedComponent(id) ?? []);
  const formerNames = names.flatMap((name) => readFormerNames(root, name));
  return new Set(decidedNames).difference(new Set([...names, ...formerNames]));
}

/** Texts of an event may change from one program to the next; its type, subject and instant do not. */
function isSameEvent(recorded: JournalEvent, event: LiveEvent): boolean {
  return (
    recorded.type === event.type &&
    recorded.at === event.at &&
    findSubject(recorded) === findSubject(event)
  );
}

function findSubject({
  version,
  line,
  advisory,
}: Pick<LiveEvent, 'version' | 'line' | 'advisory'>): string | undefined {
  return version ?? line ?? advisory;
}

/** The parts of a published id. */
function splitId(id: string) {
  const slash = id.lastIndexOf('/');
  return { component: id.slice(0, slash), number: Number(id.slice(slash + 1)) };
}

function formatEvents(events: readonly LiveEvent[]): string {
  const texts = events.map((event) => {
    const words = [event.type, findSubject(event), event.at].filter(Boolean);
    return `${event.id} (${words.join(' ')})`;
  });
  return formatList(texts, 3);
}
