/** Reads the entries of lists as releases or release lines. */
import type * as z from 'zod';
import type { Day } from '../core/day.ts';
import { describeProblems } from '../core/parse-document.ts';
import type { StatedLine } from '../core/schema/recorded.ts';
import { checkReleases, type StatedRelease } from './check-release.ts';
import { SourceError } from './http/failures.ts';
import type { SourceAnswer } from './types.ts';

/**
 * The releases of a list. `schema` turns an entry into a release, or into nothing if it is none. Entries that cannot be read are
 * reported together. Throws for a list without a readable entry: that is a fault of the source, and no reason to withdraw everything.
 */
export function readReleases(
  url: string,
  day: Day,
  entries: readonly unknown[],
  schema: z.ZodType<StatedRelease | undefined>,
): SourceAnswer {
  const { values, notes } = readEntries(url, entries, schema);
  const { releases, notes: leftOut } = checkReleases(values, day);
  return {
    releases,
    notes: [...notes, ...leftOut],
    isPartial: values.length < entries.length,
  };
}

/** The readable entries of a list. */
export function readEntries<T>(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<T>,
  noun = 'version',
): { values: T[]; notes: string[] } {
  if (entries.length === 0) {
    throw SourceError.at(url, `lists no ${noun}`);
  }

  const results = entries.map((entry) => schema.safeParse(entry));
  const values = results.flatMap(({ data, success }) => (success ? [data] : []));
  const firstBad = results.findIndex(({ success }) => !success);
  if (firstBad === -1) {
    return { values, notes: [] };
  }

  const problem = `entry ${firstBad + 1}: ${describeProblems(entries[firstBad], schema)[0]}`;
  const skipped = entries.length - values.length;
  if (values.length === 0) {
    throw SourceError.at(url, `${problem}. None of its ${skipped} entries can be read`);
  }
  return { values, notes: [`${problem}. Skipped ${skipped} of ${entries.length} entries.`] };
}

/** Each line once. */
export function readLines(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<StatedLine>,
): SourceAnswer {
  const { values, notes } = readEntries(url, entries, schema, 'release line');
  const lines = new Map(values.map((line) => [line.line, line]));
  return { releases: [], lines: [...lines.values()], notes, isPartial: notes.length > 0 };
}
