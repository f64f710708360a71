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
  /** The end of a run, which may be later. */
  readonly finishedAt?: string;
}

/** The instant of recording, in milliseconds since 1970. */
export function instantOfEntry({
  at,
  finishedAt = at,
}: Pick<RecordedEntry, 'at' | 'finishedAt'>): number {
  return Math.max(Date.parse(at), Date.parse(finishedAt));
}

/**
 * The earliest instant of recording of what may have been published at `since` or later: publication follows recording, sometimes
 * much later. A run states what was public when it recorded, and since when. Without such a run, each run was published before
 * the next one started. `publishedAt`: the instant at which the newest run was published, if known. All in milliseconds.
 */
export async function unpublishedSince(
  runs: RecordedYears<Run>,
  since: number,
  publishedAt = Infinity,
): Promise<number> {
  if (since > publishedAt) {
    return Infinity;
  }

  const earlier: Run[] = [];

  for (const year of await runs.years()) {
    for (const run of await runs.of(year)) {
      const { published, publishedAt: publicFrom } = run;
      const publicBy = publicFrom === undefined ? instantOfEntry(run) : Date.parse(publicFrom) + 1;
      if (published !== undefined && publicBy <= since) {
        return Math.min(since, Date.parse(published) + 1);
      }

      if (instantOfEntry(run) <= since) {
        earlier.push(run);
      }
    }
  }

  const [, before] = earlier;

  return before ? Math.min(since, Date.parse(before.at) + 1) : since;
}

/** The entries recorded at an instant and later, in the order of recording. `since`: milliseconds since 1970. */
export async function* entriesFrom<Entry extends RecordedEntry>(
  recorded: RecordedYears<Entry>,
  since: number,
): AsyncGenerator<Entry, undefined> {
  if (since === Infinity) {
    return;
  }

  const first = new Date(since).getUTCFullYear();

  for (const year of (await recorded.years()).toReversed()) {
    if (Number(year) < first) {
      continue;
    }

    for (const entry of (await recorded.of(year)).toReversed()) {
      if (instantOfEntry(entry) >= since) {
        yield entry;
      }
    }
  }
}

/** The entries recorded after an entry; undefined if no entry has the id. */
export async function entriesAfter<Entry extends RecordedEntry>(
  recorded: RecordedYears<Entry>,
  id: string,
): Promise<AsyncGenerator<Entry, undefined> | undefined> {
  for (const year of await recorded.years()) {
    const entryWithId = (await recorded.of(year)).find((entry) => entry.id === id);
    if (!entryWithId) {
      continue;
    }

    const entries = entriesFrom(recorded, instantOfEntry(entryWithId));

    while ((await entries.next()).value?.id !== id) {}

    return entries;
  }

  return undefined;
}

/** The last entry in the order of recording. */
export async function newestEntry<Entry>(
  recorded: RecordedYears<Entry>,
): Promise<Entry | undefined> {
  for (const year of await recorded.years()) {
    const [newest] = await recorded.of(year);
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
