import type { Run } from '../../core/schemas/recorded/runs.ts';
import type { RecordedYears } from './recorded-years.ts';

/** In milliseconds since 1970. */
type Instant = number;

/** When each run was published, so that all readers could see it, by the instant of its events. */
export type Publications = ReadonlyMap<string, Instant>;

/**
 * When each run was published. Each run states it for the run before; the host does for the newest one, in `publishedAt`. If the
 * next run states nothing, the start of that run is used: late rather than early, so no client misses anything.
 */
export async function readPublications(
  runs: RecordedYears<Run>,
  publishedAt: Instant | undefined,
): Promise<Publications> {
  const publications = new Map<string, Instant>();
  let statedInstant = publishedAt ?? 0;
  let nextInstant = Infinity;
  let newestPublished: string | undefined;

  for (const year of await runs.years()) {
    for (const run of await runs.read(year)) {
      // A run is not public before its end, whatever the clock of the host says.
      const end = Math.max(Date.parse(run.at), Date.parse(run.finishedAt));
      // Runs published together differ by a millisecond, to keep their order.
      const latest = nextInstant - 1;
      const waitedForNext = newestPublished !== undefined && newestPublished < run.at;
      const instant = waitedForNext ? latest : Math.min(Math.max(statedInstant, end), latest);
      publications.set(run.at, instant);

      statedInstant = Date.parse(run.publishedAt ?? run.startedAt);
      nextInstant = instant;
      // A run that could not read the live site states nothing; a later one does.
      newestPublished = run.published ?? newestPublished;
    }
  }

  return publications;
}

/** When an entry was published. Entries older than all runs count by their own instant. */
export function findAvailableAt(publications: Publications, at: string): Instant {
  return publications.get(at) ?? Date.parse(at);
}

/**
 * The events of the journal, or the runs, published from `since` to `now`, in the order of recording. Some entries are published only
 * after `now`: while the host switches to a new version, some readers still get the old one.
 */
export async function readEntriesFrom<Entry extends Pick<Run, 'at'>>(
  recorded: RecordedYears<Entry>,
  publications: Publications,
  since: Instant,
  now = Date.now(),
): Promise<Entry[]> {
  // A run may be published years after it was recorded.
  const oldestRun = [...publications].findLast(([, instant]) => instant >= since)?.[0];
  const start = new Date(since).toISOString();
  const firstYear = (oldestRun && oldestRun < start ? oldestRun : start).slice(0, 4);

  const entries: Entry[] = [];
  for (const year of (await recorded.years()).toReversed()) {
    if (year < firstYear) {
      continue;
    }

    for (const entry of (await recorded.read(year)).toReversed()) {
      const instant = findAvailableAt(publications, entry.at);
      if (instant >= since && instant <= now) {
        entries.push(entry);
      }
    }
  }
  return entries;
}
