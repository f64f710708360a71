import {
  readPublishedJson,
  type PublishedDocuments,
  type RecordedFolder,
} from '../answers/answer-index.ts';
import { keepLastValue, keepValue } from '../answers/memory.ts';

/** Entries that the index recorded, in a file for each year. */
export interface RecordedYears<Entry> {
  /** The years that have entries, newest first. */
  years(): Promise<readonly string[]>;
  /** The entries of a year, newest first. */
  read(year: string): Promise<readonly Entry[]>;
}

/** The paths in the list of digests. Only the verification of a copy needs the digests. */
export async function readPaths(documents: PublishedDocuments): Promise<ReadonlySet<string>> {
  const text = (await documents.read('SHA256SUMS')) ?? '';
  return new Set(Array.from(text.matchAll(/^\w+ [ *](.+)$/gm), ([, path]) => path!));
}

/** Opens `<folder>/<year>.json`; each file has its entries in a field with the name of the folder. */
export function openYears<Entry>(
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
