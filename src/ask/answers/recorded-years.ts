import type { Run } from '../../core/schemas/recorded/journal.ts';

/** Entries that the index recorded, in a file for each year. */
export interface RecordedYears<Entry> {
  /** The years that have entries, newest first. */
  years(): Promise<readonly string[]>;
  /** The entries of a year, newest first. */
  read(year: string): Promise<readonly Entry[]>;
}

/** An event of the journal, or a run. */
interface RecordedEntry {
  readonly id: string;
  /** The instant of the run that recorded it. */
  readonly at: string;
}

/**
 * When all readers could see what a run recorded, in milliseconds since 1970: by the instant of the run, which its events and
 * releases have, too.
 */
export type Publications = ReadonlyMap<string, number>;

/**
 * The host states when its newest run became public (`publishedAt`), and each run states it for the run before. Without a
 * statement, the start of the next run is used: late rather than early, so no client misses anything. The newest run has no next
 * run, so its own end is used.
 */
export async function readPublications(
  runs: RecordedYears<Run>,
  publishedAt: number | undefined,
): Promise<Publications> {
  const publications = new Map<string, number>();
  let newerRun: Run | undefined;
  let newerInstant = Infinity;

  for (const year of await runs.years()) {
    for (const run of await runs.read(year)) {
      const end = Math.max(Date.parse(run.at), Date.parse(run.finishedAt));
      const statedInstant = newerRun ? findPublication(run, newerRun) : (publishedAt ?? end);
      // A run is not public before its end, whatever the clock of the host says.
      const earliestInstant = Math.max(statedInstant, end);
      // Runs published together differ by a millisecond, to keep their order.
      const instant = Math.min(earliestInstant, newerInstant - 1);

      publications.set(run.at, instant);
      newerRun = run;
      newerInstant = instant;
    }
  }

  return publications;
}

/** When a run became public, by the next run; Infinity if it was not public when the next run started. */
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

/**
 * The entries published from `since` to `now`, both in milliseconds since 1970, in the order of recording. Some entries are
 * published only after `now`: while the host switches to a new version, some readers still get the old one.
 */
export async function* readEntriesFrom<Entry extends RecordedEntry>(
  recorded: RecordedYears<Entry>,
  publications: Publications,
  since: number,
  now: number,
): AsyncGenerator<Entry, undefined> {
  // An entry of the last day of a year may be published in the next one.
  const firstYear = new Date(since).getUTCFullYear() - 1;

  for (const year of (await recorded.years()).toReversed()) {
    if (Number(year) < firstYear) {
      continue;
    }

    for (const entry of (await recorded.read(year)).toReversed()) {
      const instant = findAvailableAt(publications, entry.at);
      if (instant >= since && instant <= now) {
        yield entry;
      }
    }
  }
}

/** The entries recorded after an entry and public `now`; undefined if no entry has the id. */
export async function readEntriesAfter<Entry extends RecordedEntry>(
  recorded: RecordedYears<Entry>,
  publications: Publications,
  id: string,
  now: number,
): Promise<AsyncGenerator<Entry, undefined> | undefined> {
  const entry = await findNewest(recorded, (each) => each.id === id);
  if (!entry) {
    return undefined;
  }

  const since = findAvailableAt(publications, entry.at);
  return skipThrough(id, readEntriesFrom(recorded, publications, since, now));
}

/** Leaves out the entries up to the one with the id. */
async function* skipThrough<Entry extends RecordedEntry>(
  id: string,
  entries: AsyncIterable<Entry>,
): AsyncGenerator<Entry, undefined> {
  let isSkipped = false;
  for await (const entry of entries) {
    if (isSkipped) {
      yield entry;
    }

    isSkipped ||= entry.id === id;
  }
}

/** The last entry that is public `now`. */
export function readNewestEntry<Entry extends RecordedEntry>(
  recorded: RecordedYears<Entry>,
  publications: Publications,
  now: number,
): Promise<Entry | undefined> {
  return findNewest(recorded, ({ at }) => findAvailableAt(publications, at) <= now);
}

/** The newest entry for which a test holds. Reads no year before the year of the entry. */
export async function findNewest<Entry>(
  recorded: RecordedYears<Entry>,
  isWanted: (entry: Entry) => boolean,
): Promise<Entry | undefined> {
  for (const year of await recorded.years()) {
    const entry = (await recorded.read(year)).find(isWanted);
    if (entry) {
      return entry;
    }
  }

  return undefined;
}
