import type { Run } from '../../core/schemas/recorded/journal.ts';

/** Entries that the index recorded, in a file for each year. */
export interface RecordedYears<Entry> {
  /** The years that have entries, newest first. */
  years(): Promise<readonly string[]>;
  /** Newest first. */
  of(year: string): Promise<readonly Entry[]>;
}

/** An event of the journal, or a run. */
interface RecordedEntry {
  readonly id: string;
  /** The instant of the run that recorded it. */
  readonly at: string;
}

/**
 * When readers could first see what a run recorded, in milliseconds since 1970: by the instant of the run, which its events and
 * releases have, too.
 */
export type Publications = ReadonlyMap<string, number>;

/**
 * The host knows since when its newest run is public (`publishedAt`), and each run records this for the run before it. A run
 * without this record began after the run before it was public, so no client misses anything. Runs that became public together
 * differ by a millisecond, in their order.
 */
export async function readPublications(
  runs: RecordedYears<Run>,
  publishedAt: number | undefined,
): Promise<Publications> {
  const publications = new Map<string, number>();
  let next: Run | undefined;
  let limit = Infinity;

  for (const year of await runs.years()) {
    for (const run of await runs.of(year)) {
      const end = Math.max(Date.parse(run.at), Date.parse(run.finishedAt));
      const instant = next ? findPublication(run, next) : publishedAt;
      const availableAt = Math.min(Math.max(instant ?? end, end), limit - 1);
      publications.set(run.at, availableAt);
      limit = availableAt;
      next = run;
    }
  }

  return publications;
}

/** Since when a run was public, by the run after it; Infinity if it was not public then. */
function findPublication({ at }: Run, { published, publishedAt, startedAt }: Run): number {
  if (published !== undefined && published < at) {
    return Infinity;
  }

  return Date.parse(publishedAt ?? startedAt);
}

/** When an entry was published, in milliseconds since 1970. Entries older than all runs count by their own instant. */
export function findAvailableAt(publications: Publications, at: string): number {
  return publications.get(at) ?? Date.parse(at);
}

/** While the host switches to a new version, some readers still get the old one, so nobody gets the new entries yet. */
export function isPublic(publications: Publications, at: string): boolean {
  return (publications.get(at) ?? 0) <= Date.now();
}

/** The public entries published at an instant and later, in the order of recording. `since`: milliseconds since 1970. */
export async function* readEntriesFrom<Entry extends RecordedEntry>(
  recorded: RecordedYears<Entry>,
  publications: Publications,
  since: number,
): AsyncGenerator<Entry, undefined> {
  // An entry of the last day of a year may be published in the next one.
  const firstYear = new Date(since).getUTCFullYear() - 1;

  for (const year of (await recorded.years()).toReversed()) {
    if (Number(year) < firstYear) {
      continue;
    }

    for (const entry of (await recorded.of(year)).toReversed()) {
      const isWanted = findAvailableAt(publications, entry.at) >= since;
      if (isWanted && isPublic(publications, entry.at)) {
        yield entry;
      }
    }
  }
}

/** The entries recorded after an entry; undefined if no entry has the id. */
export async function readEntriesAfter<Entry extends RecordedEntry>(
  recorded: RecordedYears<Entry>,
  publications: Publications,
  id: string,
): Promise<AsyncGenerator<Entry, undefined> | undefined> {
  for (const year of await recorded.years()) {
    const entryWithId = (await recorded.of(year)).find((entry) => entry.id === id);
    if (!entryWithId) {
      continue;
    }

    const since = findAvailableAt(publications, entryWithId.at);
    const entries = readEntriesFrom(recorded, publications, since);
    for (let next = await entries.next(); !next.done && next.value.id !== id;) {
      next = await entries.next();
    }
    return entries;
  }

  return undefined;
}

/** The last public entry. */
export async function readNewestEntry<Entry extends RecordedEntry>(
  recorded: RecordedYears<Entry>,
  publications: Publications,
): Promise<Entry | undefined> {
  for (const year of await recorded.years()) {
    const entries = await recorded.of(year);
    const newest = entries.find(({ at }) => isPublic(publications, at));
    if (newest) {
      return newest;
    }
  }

  return undefined;
}

/** Whether a change is about a component, by its name at that time or its first name, which the ids of changes keep. */
export function isAbout(
  { id, component }: { id: string; component: string },
  name: string,
): boolean {
  return component === name || id.slice(0, id.lastIndexOf('/')) === name;
}
