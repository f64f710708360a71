/** What the index recorded, in a file for each year. */
export interface RecordedYears<Entry> {
  /** The years in which something was recorded, newest first. */
  years(): Promise<readonly string[]>;
  /** Newest first. */
  of(year: string): Promise<readonly Entry[]>;
}

/** An event of the journal, or a run. */
export interface RecordedEntry {
  readonly id: string;
  /** The instant of the run that recorded it. */
  readonly at: string;
}

/** What was recorded at an instant and later, in the order of recording. `since`: milliseconds since 1970. */
export async function* entriesFrom<Entry extends RecordedEntry>(
  recorded: RecordedYears<Entry>,
  since: number,
): AsyncGenerator<Entry> {
  const first = new Date(since).getUTCFullYear();
  for (const year of (await recorded.years()).toReversed()) {
    if (Number(year) < first) continue;
    for (const entry of await inOrder(recorded, year)) if (Date.parse(entry.at) >= since) yield entry;
  }
}

/** What was recorded after an entry; undefined where there is no such entry. */
export async function entriesAfter<Entry extends RecordedEntry>(
  recorded: RecordedYears<Entry>,
  id: string,
): Promise<AsyncGenerator<Entry> | undefined> {
  const years = await recorded.years();
  for (const [place, year] of years.entries()) {
    const entries = await inOrder(recorded, year);
    const found = entries.findIndex((entry) => entry.id === id);
    if (found !== -1) return goOn(recorded, entries.slice(found + 1), years.slice(0, place).toReversed());
  }
  return undefined;
}

/** The last one in this order. */
export async function newestEntry<Entry>(recorded: RecordedYears<Entry>): Promise<Entry | undefined> {
  for (const year of await recorded.years()) {
    const [newest] = await recorded.of(year);
    if (newest) return newest;
  }
  return undefined;
}

async function* goOn<Entry>(
  recorded: RecordedYears<Entry>,
  entries: readonly Entry[],
  years: readonly string[],
): AsyncGenerator<Entry> {
  yield* entries;
  for (const year of years) yield* await inOrder(recorded, year);
}

/** The files of the years have the newest first. */
async function inOrder<Entry>(recorded: RecordedYears<Entry>, year: string): Promise<Entry[]> {
  return (await recorded.of(year)).toReversed();
}
