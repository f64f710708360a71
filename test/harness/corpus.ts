import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { checkout } from './checkout.ts';

export type CorpusReleases = readonly { version: string; releaseTimestamp: string }[];

/** Real versions of some 400 real products with their days, from endoflife-date/release-data. */
export type Corpus = ReadonlyMap<string, CorpusReleases>;

const folder = process.env['RELEASE_INDEX_CORPUS'] ?? join(checkout, '../shared/corpus');
const archive = join(folder, 'endoflife-releases.tar.gz');

export const missingCorpus = `The corpus of real versions is not at ${archive}; set RELEASE_INDEX_CORPUS. What needs it is left out.`;

/** A change of the list of a product: its versions with their days. */
export interface ListChange {
  readonly day: string;
  readonly product: string;
  readonly added?: Readonly<Record<string, string>>;
  readonly changed?: Readonly<Record<string, string>>;
  readonly removed?: readonly string[];
}

/** What the lists of some 180 real products said on the first day, and how they changed in a year. */
export interface WorldYear {
  readonly from: string;
  readonly to: string;
  readonly start: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly days: readonly ListChange[];
}

const yearFile = join(folder, 'world-year.json.gz');

export const missingYear = `The year of real lists is not at ${yearFile}; set RELEASE_INDEX_CORPUS. What needs it is left out.`;

export function readWorldYear(): WorldYear | undefined {
  return existsSync(yearFile)
    ? (JSON.parse(gunzipSync(readFileSync(yearFile)).toString()) as WorldYear)
    : undefined;
}

export function readCorpus(): Corpus | undefined {
  return readArchive(archive, 'releases', (text) => {
    const { versions = {} } = JSON.parse(text) as {
      versions?: Record<string, { name: string; date: string }>;
    };
    return Object.values(versions).map(({ name, date }) => ({
      version: name,
      releaseTimestamp: date,
    }));
  });
}

const productArchive = join(folder, 'endoflife-products.tar.gz');

export const missingProducts = `The products of endoflife.date are not at ${productArchive}; set RELEASE_INDEX_CORPUS. What needs them is left out.`;

/** The front matter of the 464 products of endoflife-date/endoflife.date, by name. */
export function readProducts(): ReadonlyMap<string, string> | undefined {
  return readArchive(productArchive, 'products', (text) => text);
}

/** Each file of a folder in an archive, by its name without its ending. */
function readArchive<T>(
  path: string,
  inside: string,
  read: (text: string) => T,
): ReadonlyMap<string, T> | undefined {
  if (!existsSync(path)) {
    return undefined;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'release-index-corpus-'));
  try {
    execFileSync('tar', ['-xzf', path, '-C', scratch]);
    const files = readdirSync(join(scratch, inside)).sort();
    return new Map(
      files.map((file) => [
        file.replace(/\.\w+$/, ''),
        read(readFileSync(join(scratch, inside, file), 'utf8')),
      ]),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
