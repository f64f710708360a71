import { z } from 'zod';
import { readPublishedText, type PublishedDocuments } from '../../ask/answers/answer-index.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { lenient } from '../../core/schemas/published/document-schemas.ts';
import { PublishedChange } from '../../core/schemas/published/small-files.ts';
import { counted, listed } from '../../core/text/wording.ts';
import { listJournals, listRuns, publishedIds, readJournal } from '../../io/files/journal-files.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { parsePublished } from './index-documents.ts';

/** The subject of an event of the live site. Lenient, since a newer program may have published it. */
const LiveEvent = lenient(
  PublishedChange.pick({ id: true, at: true, version: true, line: true, advisory: true }).extend({
    type: z.string(),
  }),
);
export type LiveEvent = z.infer<typeof LiveEvent>;

const LiveChanges = z.object({ changes: z.array(LiveEvent) });

/** The newest events of a published site. */
export function readNewestEvents(documents: PublishedDocuments): Promise<LiveEvent[]> {
  return readEvents(documents, 'changes.json');
}

/** The events of the years whose files differ from the live ones, by their digests. */
export async function readOtherEvents(
  documents: PublishedDocuments,
  digests: ReadonlyMap<string, string>,
  liveDigests: ReadonlyMap<string, string>,
): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  for (const [path, digest] of digests) {
    if (/^changes\/\d{4}\.json$/.test(path) && liveDigests.get(path) !== digest) {
      events.push(...(await readEvents(documents, path)));
    }
  }
  return events;
}

async function readEvents(documents: PublishedDocuments, path: string): Promise<LiveEvent[]> {
  return parsePublished(path, await readPublishedText(documents, path), LiveChanges).changes;
}

/** The kind of findings about events that readers would lose. */
export const lostEvents = 'lost events';

/**
 * A problem if readers of the live site have events that the journals lack, or ids that name other events there: this checkout is
 * behind, or its history was rewritten. Events of a component that a decision removed may be missing. `used`: the decisions of
 * the present run.
 */
export function findLostEvents(
  root: Root,
  events: readonly LiveEvent[],
  used: readonly string[] = [],
): Finding | undefined {
  const removed = listRemoved(root, used);
  const remaining = events.filter(({ id }) => !removed.has(splitId(id).component));
  const { missing, renamed } = listLostEvents(root, remaining);

  const problems = [
    ...(missing.length > 0
      ? [`has ${counted(missing.length, 'event')} that the journals lack: ${named(missing)}`]
      : []),
    ...(renamed.length > 0
      ? [
          `calls ${counted(renamed.length, 'event')} by ids of others in the journals: ${named(renamed)}`,
        ]
      : []),
  ];
  if (problems.length === 0) {
    return undefined;
  }

  const remedy =
    'Nothing was recorded or published. If this checkout is behind: git pull. If its history was rewritten: restore the lost commits, or go on from the present commit: npx release-index accept history';
  return { ...problem('live site', `${problems.join(', and ')}. ${remedy}`), kind: lostEvents };
}

function listRemoved(root: Root, used: readonly string[]): Set<string> {
  const { names } = listComponents(root);
  const ids = [...listRuns(root).runs.flatMap(({ accepted = [] }) => accepted), ...used];
  const decided = ids.map((id) => id.slice(0, id.lastIndexOf('-')));
  return new Set(decided.filter((name) => !names.includes(name)));
}

/** The greatest live id of each component with lost events. */
export function lostIds(root: Root, events: readonly LiveEvent[]): Record<string, number> {
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

/** Without events that a person has given up. */
function listLostEvents(root: Root, events: readonly LiveEvent[]) {
  const recorded = recordedEvents(root);
  const ids = publishedIds(root);
  const open = events.filter(({ id }) => {
    const { component, number } = splitId(id);
    return number > (ids.get(component) ?? 0);
  });

  return {
    missing: open.filter(({ id }) => !recorded.has(id)),
    renamed: open.filter(
      (event) => (recorded.get(event.id) ?? describe(event)) !== describe(event),
    ),
  };
}

/** The parts of a published id. */
function splitId(id: string): { component: string; number: number } {
  const slash = id.lastIndexOf('/');
  return { component: id.slice(0, slash), number: Number(id.slice(slash + 1)) };
}

function named(events: readonly LiveEvent[]): string {
  return listed(
    events.map((event) => `${event.id} (${describe(event)})`),
    3,
  );
}

/** The events in all journals, by their published ids. */
function recordedEvents(root: Root): ReadonlyMap<string, string> {
  return new Map(
    listJournals(root).flatMap((name) => {
      const events = readJournal(root, name).value?.values ?? [];
      const { component = name } = events[0] ?? {};
      return events.map((event) => [`${component}/${event.id}`, describe(event)] as const);
    }),
  );
}

function describe({ at, type, version, line, advisory }: Omit<LiveEvent, 'id'>): string {
  return [type, version ?? line ?? advisory ?? '', at].filter((part) => part !== '').join(' ');
}
