import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeFolder } from './site.ts';

const folder = process.env['RELEASE_INDEX_CORPUS'] ?? resolve(import.meta.dirname, '../../../shared/corpus');

/** Real versions of real products, one JSON file each, of endoflife-date/release-data. */
export const corpusArchive = join(folder, 'endoflife-releases.tar.gz');

/** The versions of each product; undefined where there is no corpus. */
export function readCorpus(): Map<string, string[]> | undefined {
  const dated = readDatedCorpus();
  return (
    dated && new Map(Array.from(dated, ([name, of]) => [name, of.map(({ version }) => version)] as const))
  );
}

/** The same with the day of each version. */
export function readDatedCorpus(): Map<string, { version: string; releaseTimestamp: string }[]> | undefined {
  if (!existsSync(corpusArchive)) return undefined;
  const scratch = writeFolder({});
  try {
    execFileSync('tar', ['-xzf', corpusArchive, '-C', scratch]);
    const products = join(scratch, 'releases');
    return new Map(
      readdirSync(products).map((file) => {
        const { versions = {} } = JSON.parse(readFileSync(join(products, file), 'utf8')) as {
          versions?: Record<string, { date: string }>;
        };
        const releases = Object.entries(versions).map(([version, { date }]) => ({
          version,
          releaseTimestamp: date,
        }));
        return [file.slice(0, -'.json'.length), releases];
      }),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
