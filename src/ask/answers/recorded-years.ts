import { findEarliestDay } from '../../core/model/dates.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import type { Run } from '../../core/schemas/recorded/runs.ts';
import { readPublishedJson, type PublishedDocuments, type RecordedFolder } from './answer-index.ts';
import { keepLastValue, keepValue } from './memory.ts';

/** Entries that the index recorded, in a file for each year. */
export interface RecordedYears<Entry> {
  /** The years that have entries, newest first. */
  years(): Promise<readonly string[]>;
  /** The entries of a year, newest first. */
  read(year: string): Promise<readonly Entry[]>;
}

export type RecordedHistory = ReturnType<typeof openHistory>;

/** Opens the changes that an index recorded, and the runs that gathered and recorded it. */
export function openHistory(documents: PublishedDocuments) {
  const paths = keepValue(() => readPaths(documents));
  const recordedBuilds = openYears<Run>(documents, 'builds', paths);
  return {
    recordedChanges: openYears<PublishedChange>(documents, 'changes', paths),
    recordedBuilds,
    /** When each run was published. */
    publications: keepValue(async () =>
      readPublications(recordedBuilds, await documents.publishedAt?.()),
    ),
  };
}

/** The paths in the list of digests. Only the verification of a copy needs the digests. */
async function readPaths(documents: PublishedDocuments): Promise<ReadonlySet<string>> {
  const text = (await documents.read('SHA256SUMS')) ?? '';
  return new Set(Array.from(text.matchAll(/^\w+ [ *](.+)$/gm), ([, path]) => path!));
}

/** Opens `<folder>/<year>.json`; each file has its entries in a field with the name of the folder. */
function openYears<Entry>(
  documents: PublishedDocuments,
  folder: RecordedFolder,
  paths: () => Promise<ReadonlySet<string>>,
): RecordedYears<Entry> {
  const years = keepValue(async () =>
    listYears(documents.paths?.(folder) ?? (await paths()), folder),
  );

  const readYear = async (year: string) => {
    const path = `${folder}/${year}.json`;
    const file = await readPublishedJson<Record<typeof folder, readonly Entry[]>>(documents, path);
    return file[folder];
  };
  const readNewest = keepLastValue(readYear);

  return {
    years,
    /** Keeps only the newest year, the one most read, to save memory. */
    async read(year) {
      const [newest] = await years();
      return year === newest ? readNewest(year) : readYear(year);
    },
  };
}

/** The years of the files in a folder, newest first. */
function listYears(paths: Iterable<string>, folder: RecordedFolder): string[] {
  const form = new RegExp(String.raw`^${folder}/(\d{4})\.json$`);
  const years = Array.from(paths, (path) => form.exec(path)?.[1]);
  return years
    .filter((year) => year !== undefined)
    .sort()
    .reverse();
}

/** By the instant of a run: when it was published, so that all readers could see it, in milliseconds since 1970. */
export type Publications = ReadonlyMap<string, number>;

/** When each run was published. `publishedAt`: when the host published its newest run, if it states that. */
export async function readPublications(
  runs: RecordedYears<Run>,
  publishedAt: number | undefined,
): Promise<Publications> {
  const publications = new Map<string, number>();
  let nextRun: PublishedRun | undefined;

  for (const year of await runs.years()) {
    for (const run of await runs.read(year)) {
      // A run is not public before its end, whatever the clock of the host says.
      const end = Math.max(Date.parse(run.at), Date.parse(run.finishedAt));
      const instant: number = nextRun
        ? computePublication(run, end, nextRun)
        : Math.max(publishedAt ?? end, end);
      publications.set(run.at, instant);
      // A run that could not read the live site states nothing; a later one does.
      nextRun = { ...run, published: run.published ?? nextRun?.published, instant };
    }
  }

  return publications;
}

interface PublishedRun extends Run {
  /** When it was published, in milliseconds since 1970. */
  readonly instant: number;
}

/**
 * When a run was published, by the next run, which states it. Otherwise the start of the next run is used: late rather than early, so no
 * client misses anything.
 */
function computePublication({ at }: Run, end: number, nextRun: PublishedRun): number {
  const { published, publishedAt, startedAt, instant } = nextRun;
  // Runs published together differ by a millisecond, to keep their order.
  const latest = instant - 1;
  const waitedForNext = published !== undefined && published < at;
  return waitedForNext
    ? latest
    : Math.min(Math.max(Date.parse(publishedAt ?? startedAt), end), latest);
}

/** When an entry was published, in milliseconds since 1970. Entries older than all runs count by their own instant. */
export function findAvailableAt(publications: Publications, at: string): number {
  return publications.get(at) ?? Date.parse(at);
}

/**
 * The events of the journal, or the runs, published from `since` to `now`, both in milliseconds since 1970, in the order of recording. Some entries are
 * published only after `now`: while the host switches to a new version, some readers still get the old one.
 */
export async function* readEntriesFrom<Entry extends Pick<Run, 'at'>>(
  recorded: RecordedYears<Entry>,
  publications: Publications,
  since: number,
  now: number,
): AsyncGenerator<Entry, undefined> {
  // A run may be published years after it was recorded.
  const oldestRun = [...publications].findLast(([, instant]) => instant >= since)?.[0];
  const firstYear = findEarliestDay([oldestRun, new Date(since).toISOString()])!.slice(0, 4);

  for (const year of (await recorded.years()).toReversed()) {
    if (year < firstYear) {
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

/** The runs published after a run and until `now`, in milliseconds since 1970; undefined if no run has the id. */
export async function readRunsAfter(
  runs: RecordedYears<Run>,
  publications: Publications,
  id: string,
  now: number,
): Promise<AsyncGenerator<Run, undefined> | undefined> {
  const run = await findNewest(runs, (each) => each.id === id);
  // No two runs have the same instant of publication.
  return run && readEntriesFrom(runs, publications, findAvailableAt(publications, run.at) + 1, now);
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
