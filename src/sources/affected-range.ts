/** Turns the affected versions of OSV documents into a range (ossf.github.io/osv-schema, "affected"). */
import * as z from 'zod';
import { compareToBound, createVersionSearch, parseRange } from '../core/range.ts';
import { RangeText } from '../core/schema/scalars.ts';
import { parseVersion, type Version } from '../core/version.ts';

const RangeEvent = z.object({
  introduced: z.string().nullish(),
  fixed: z.string().nullish(),
  last_affected: z.string().nullish(),
});
export const Affected = z.object({
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  ranges: z.array(z.object({ type: z.string(), events: z.array(RangeEvent) })).nullish(),
  versions: z.array(z.string()).nullish(),
});
export type Affected = z.infer<typeof Affected>;

/**
 * The order of bounds at the same version. `<1.2` ends a span before `>=1.2` starts the next one. `<=1.2` may end the span that `>=1.2` has
 * started.
 */
const signs = ['<', '>=', '<='] as const;

/** A bound of an affected range, from an event in an OSV document. */
interface Bound {
  sign: (typeof signs)[number];
  text?: string;
  /** Absent if the range starts before all versions, or if the text cannot be read. */
  version?: Version | undefined;
}

/** Lists the versions in which the vulnerability is fixed. */
export function listFixed(affected: readonly Affected[]): string[] {
  const bounds = affected.flatMap(listRanges).flat();
  const ends = bounds.flatMap(({ sign, version }) => (sign === '<' && version ? version.text : []));
  return [...new Set(ends)];
}

/** Returns the affected versions as a range. If a bound cannot be read, the range becomes wider. */
export function formatRange(affected: readonly Affected[]): string {
  const spans = affected.flatMap(listRanges).flatMap(listSpans);
  const versions = affected
    .flatMap((entry) => entry.versions ?? [])
    .flatMap((text) => readVersionText(text) ?? [])
    .sort(compareToBound);
  // A range may have only a limited number of spans, such as `>=1.0 <1.5`. Judging a version compares it with every span.
  const hasTooMany = spans.length > 0 && !isRange(joinAlternatives(spans));
  if (spans.includes('*') || hasTooMany) {
    return '*';
  }

  const listInRange = createVersionSearch(versions);
  const covered = new Set(listInRange(spans.flatMap((span) => parseRange(span)!)));
  const others = versions.filter((version) => !covered.has(version));
  const exact = others.map(({ text }) => `=${text}`);
  // If too many single versions are affected, they become one span that covers them all.
  const [least] = others;
  const greatest = others.at(-1);
  const around = least && greatest ? `>=${least.text} <=${greatest.text}` : '*';
  // The span may miss a version, because the first version after sorting need not be the least. Example: 1.0 is equal to 1.0-a and to
  // 1.0-b, but 1.0-a is less than 1.0-b.
  const isAround = createVersionSearch(others)(parseRange(around)!).length === others.length;
  const ranges = [exact, isAround ? [around] : ['*']].map((more) =>
    joinAlternatives([...spans, ...more]),
  );
  return ranges.find(isRange) ?? '*';
}

function joinAlternatives(ranges: readonly string[]): string {
  return [...new Set(ranges)].join(' || ');
}

function isRange(text: string): boolean {
  return RangeText.safeParse(text).success;
}

/** Lists the bounds of each range of versions. Ranges of commits are left out. */
function listRanges({ ranges }: Affected): Bound[][] {
  return (ranges ?? [])
    .filter(({ type }) => type !== 'GIT')
    .map(({ events }) =>
      events.flatMap((event) => [
        ...readBound('<', event.fixed),
        ...readBound('>=', event.introduced),
        ...readBound('<=', event.last_affected),
      ]),
    );
}

function readBound(sign: Bound['sign'], text: string | null | undefined): Bound[] {
  if (text == null) {
    return [];
  }
  return [{ sign, text, version: isFirst({ sign, text }) ? undefined : readVersionText(text) }];
}

/** Tells whether a bound is a start before all versions, which OSV writes as 0. */
function isFirst({ sign, text }: Bound): boolean {
  return sign === '>=' && text === '0';
}

/** Reads a version that can be written in a range. */
function readVersionText(text: string): Version | undefined {
  return isRange(`=${text}`) ? parseVersion(text) : undefined;
}

/** Returns the spans between the starts and the ends of a range: `>=1.0 <1.2`. */
function listSpans(range: readonly Bound[]): string[] {
  const spans: string[] = [];
  const starts: Bound[] = [];
  /** The index of the first start after the last end. */
  let position = 0;
  for (const bound of orderBounds(range)) {
    const first = starts[position];
    if (bound.sign === '>=') {
      starts.push(bound);
    } else if (first) {
      spans.push(formatSpan(first, bound));
      position += 1;
      // In `introduced 0, last_affected 1.0, introduced 1.0`, versions after 1.0 are also affected.
      while (position < starts.length && comparePlaces(starts[position]!, bound) !== 0) {
        position += 1;
      }
    }
  }

  const first = starts[position];
  return first ? [...spans, formatSpan(first)] : spans;
}

/** Returns the readable bounds of a range in version order, beginning with a start. */
function orderBounds(range: readonly Bound[]): Bound[] {
  const isReadable = (bound: Bound) => bound.version !== undefined || isFirst(bound);
  const bounds = range
    .filter(isReadable)
    .sort((a, b) => comparePlaces(a, b) || signs.indexOf(a.sign) - signs.indexOf(b.sign));
  // If a start cannot be read, it may lie before all other bounds. So the range then begins before all versions.
  if (range.some((bound) => bound.sign === '>=' && !isReadable(bound))) {
    return [{ sign: '>=' }, ...bounds.slice(-1)];
  }

  // A range that begins with an end includes all versions before this end.
  const lacksStart = range.length > 0 && bounds[0]?.sign !== '>=';
  return lacksStart ? [{ sign: '>=' }, ...bounds] : bounds;
}

/** Compares the versions of two bounds. A bound without a version comes before all versions. */
function comparePlaces({ version: a }: Bound, { version: b }: Bound): number {
  return a && b ? compareToBound(a, b) : Number(Boolean(a)) - Number(Boolean(b));
}

function formatSpan(...bounds: Bound[]): string {
  const stated = bounds.flatMap(({ sign, version }) => (version ? `${sign}${version.text}` : []));
  return stated.join(' ') || '*';
}
