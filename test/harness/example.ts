/** Loads the example: the index of 16 components in `test/fixtures/index`, and the release files that it must publish. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Day } from '../../src/core/day.ts';
import { loadIndex, type Index } from '../../src/site/load-index.ts';

/** The root of this checkout. */
export const program = resolve(import.meta.dirname, '../..');
export const exampleRoot = join(program, 'test/fixtures/index');
/** The date of the example's last run. */
export const exampleDay: Day = '2026-11-27';

const published = join(program, 'test/fixtures/example');

export function loadExample(day: Day = exampleDay): Index {
  return loadIndex(exampleRoot, day, program).index;
}

/** The dates for which `test/fixtures/example` has the expected release files. */
export const exampleDays: readonly Day[] = readdirSync(published)
  .filter((name) => /^\d{4}-/.test(name))
  .sort();

/** Reads the expected release files of a date, by path. */
export function readPublished(day: Day): Map<string, string> {
  const folder = join(published, day);
  const paths = readdirSync(folder).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
