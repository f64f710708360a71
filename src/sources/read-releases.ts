/** Reads the entries of lists as releases or release lines. */
import type * as z from 'zod';
import { createRange, type Day } from '../core/day.ts';
import { isObject } from '../core/objects.ts';
import { describeProblems } from '../core/parse-document.ts';
import type { Phase } from '../core/schema/published.ts';
import type { StatedLine } from '../core/schema/recorded.ts';
import { LineName } from '../core/schema/scalars.ts';
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
  const { values, findings } = readEntries(url, entries, schema);
  const { releases, findings: leftOut } = checkReleases(values, day);
  return {
    releases,
    findings: [...findings, ...leftOut],
    isPartial: values.length < entries.length,
  };
}

/** The readable entries of a list. */
export function readEntries<T>(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<T>,
  noun = 'version',
) {
  if (entries.length === 0) {
    throw SourceError.at(url, `lists no ${noun}`);
  }

  const results = entries.map((entry) => schema.safeParse(entry));
  const values = results.flatMap(({ data, success }) => (success ? [data] : []));
  const unread = entries.filter((_, index) => !results[index]!.success);
  if (unread.length === 0) {
    return { values, findings: [], unread };
  }

  const [first] = unread;
  const problem = `entry ${entries.indexOf(first) + 1}: ${describeProblems(first, schema)[0]}`;
  if (values.length === 0) {
    throw SourceError.at(url, `${problem}. None of its ${unread.length} entries can be read`);
  }
  const skipped = `${problem}. Skipped ${unread.length} of ${entries.length} entries.`;
  return { values, findings: [skipped], unread };
}

/** Each line once. `nameKey`: that of its name in an entry. */
export function readLines(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<StatedLine>,
  nameKey = 'line',
): SourceAnswer {
  const { values, findings, unread } = readEntries(url, entries, schema, 'release line');
  const lines = new Map(values.map((line) => [line.line, line]));
  for (const entry of unread) {
    const [line] = /\d+(?:\.\d+)*/.exec(String(isObject(entry) && entry[nameKey])) ?? [];
    if (line !== undefined && LineName.safeParse(line).success) {
      const { data: other } = schema.safeParse({ ...(entry as object), [nameKey]: line });
      lines.set(line, { line, phases: uniteEnds(lines.get(line), other) });
    }
  }
  return { releases: [], lines: [...lines.values()], findings, isPartial: findings.length > 0 };
}

/**
 * What is known of a line whose name some cycle has with more words, as 4.9 beside 4.9-lts: it ends between the ends of both. Nothing,
 * where one of these has no day.
 */
function uniteEnds(line: StatedLine | undefined, other: StatedLine | undefined): Phase[] {
  const ends = [line, other].map((each) => each?.phases.findLast(({ paid }) => !paid));
  const days = ends.map((end) => end?.until && [end.until, end.untilAtMost ?? end.until]);
  if (days.includes(undefined)) {
    return [];
  }

  const sorted = days.flat().sort();
  const { from: until, atMost: untilAtMost } = createRange(sorted[0], sorted.at(-1));
  return [{ name: 'support', until, untilAtMost }];
}
