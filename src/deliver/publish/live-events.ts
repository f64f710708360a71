import { z } from 'zod';
import type { PublishedDocuments } from '../../ask/published-index.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { lenient } from '../../core/schemas/lenient.ts';
import { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { counted, listed } from '../../core/text.ts';
import { listJournals, readJournal } from '../../io/files/journal.ts';
import type { Root } from '../../io/files/root.ts';
import { readText } from '../../ask/published-index.ts';
import { parsePublished } from './index-documents.ts';

/** What an event of the live site is about. Lenient, since a newer program may have published it. */
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

/** The events of the years whose files differ from `known`, by their digests. */
export async function readOtherEvents(
  documents: PublishedDocuments,
  digests: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string>,
): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  for (const [path, digest] of digests) {
    if (/^changes\/\d{4}\.json$/.test(path) && known.get(path) !== digest) {
      events.push(...(await readEvents(documents, path)));
    }
  }
  return events;
}

async function readEvents(documents: PublishedDocuments, path: string): Promise<LiveEvent[]> {
  return parsePublished(path, await readText(documents, path), LiveChanges).changes;
}

/**
 * The events that readers of the live site have and the journals lack, and ids that name other events there: this checkout is
 * behind, or its history was rewritten.
 */
export function findLostEvents(root: Root, events: readonly LiveEvent[]): Finding[] {
  const recorded = recordedEvents(root);
  const missing = events.filter(({ id }) => !recorded.has(id));
  const other = events.filter(
    (event) => (recorded.get(event.id) ?? describe(event)) !== describe(event),
  );
  const problems = [
    ...(missing.length > 0
      ? [`has ${counted(missing.length, 'event')} that the journals lack: ${named(missing)}`]
      : []),
    ...(other.length > 0
      ? [
          `calls ${counted(other.length, 'event')} by ids of others in the journals: ${named(other)}`,
        ]
      : []),
  ];
  if (problems.length === 0) {
    return [];
  }
  const remedy =
    'Nothing was recorded or published. If this checkout is behind: git pull. If its history was rewritten: restore the lost commits';
  return [problem('live site', `${problems.join(', and ')}. ${remedy}`)];
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
