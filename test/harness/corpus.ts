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
  if (!existsSync(archive)) {
    return undefined;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'release-index-corpus-'));
  try {
    execFileSync('tar', ['-xzf', archive, '-C', scratch]);
    const releases = join(scratch, 'releases');
    return new Map(
      readdirSync(releases)
        .sort()
        .map((file) => [file.replace(/\.\w+$/, ''), readVersions(join(releases, file))]),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readVersions(path: string): CorpusReleases {
  const { versions = {} } = JSON.parse(readFileSync(path, 'utf8')) as {
    versions?: Record<string, { name: string; date: string }>;
  };
  return Object.values(versions).map(({ name, date }) => ({
    version: name,
    releaseTimestamp: date,
  }));
}
