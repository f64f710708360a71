import * as z from 'zod';
import { compareToBound, isInRange } from '../../../core/model/version-range.ts';
import { RangeText } from '../../../core/schemas/scalars.ts';
import { parseVersion, type Version } from '../../../core/model/version.ts';

const Event = z.object({
  introduced: z.string().nullish(),
  fixed: z.string().nullish(),
  last_affected: z.string().nullish(),
});
type Event = z.infer<typeof Event>;

/** The affected versions of a package (ossf.github.io/osv-schema, "affected[]"): in its ranges and its list. */
export const Ranges = z.object({
  ranges: z.array(z.object({ type: z.string(), events: z.array(Event) })).nullish(),
  versions: z.array(z.string()).nullish(),
});
type Ranges = z.infer<typeof Ranges>;

export type AffectedVersions = ReturnType<typeof uniteAffected>;

/** Unites several statements. An unreadable bound widens the affected range, never narrows it. */
export function uniteAffected(packageRanges: readonly Ranges[]) {
  const statements = packageRanges.map(parseRanges);
  const ends = statements.flatMap(({ ranges }) => ranges.flat());
  const bounds = [...ends, ...statements.flatMap(({ versions }) => versions)];
  const fixes = ends.filter(isReadable).filter(({ sign }) => sign === '<');
  const unreadable = bounds.filter((bound) => !isReadable(bound));

  return {
    /** In the form of an advisory. */
    range: formatAffected(statements),
    /** May repeat a version. */
    fixed: fixes.map(({ text }) => text),
    /** Bounds and versions. */
    unreadable: [...new Set(unreadable.map(({ text }) => text.slice(0, 100)))],
  };
}

/** Bounds at one version come in this order: a version may be fixed and affected again, or the only affected one. */
const signs = ['<', '>=', '=', '<='] as const;

/** The start or the end of a span, or a single version, whose sign is `=`. */
interface Bound {
  sign: (typeof signs)[number];
  text: string;
  /** Undefined for a text that cannot be read. */
  bound: Version | undefined;
}
type ReadableBound = Bound & { bound: Version };

function isReadable(bound: Bound): bound is ReadableBound {
  return bound.bound !== undefined;
}

type ParsedRanges = ReturnType<typeof parseRanges>;

/** The bounds of each range, and the single versions. */
function parseRanges({ ranges, versions }: Ranges) {
  // Ranges of commits have no versions.
  const ordered = (ranges ?? []).filter(({ type }) => type !== 'GIT');
  return {
    ranges: ordered.map(({ events }) => events.flatMap(parseEvent)),
    versions: (versions ?? []).flatMap((text) => parseBound('=', text)),
  };
}

function parseEvent({ fixed, introduced, last_affected: last }: Event): Bound[] {
  return [
    ...parseBound('<', fixed),
    ...(introduced === '0' ? [beforeAll] : parseBound('>=', introduced)),
    ...parseBound('<=', last),
  ];
}

/** The start `0`, which precedes every version, also a prerelease of 0. */
const beforeAll: ReadableBound = {
  sign: '>=',
  text: '0',
  bound: { text: '0', groups: [-1], suffix: '' },
};

/** Empty without a text. The range of an advisory cannot name some versions, such as `1.x`: they cannot be read, either. */
function parseBound(sign: Bound['sign'], text: string | null | undefined): Bound[] {
  if (typeof text !== 'string') {
    return [];
  }

  const { success } = RangeText.safeParse(`=${text}`);
  return [{ sign, text, bound: success ? parseVersion(text) : undefined }];
}

/** A single version, or a start and, unless all later versions are affected, an end. */
type Alternative = readonly ReadableBound[];

const everyVersion = '*';

/** About 0.1 s. Real advisories have some thousand versions and a few ranges. */
const maxComparisons = 1_000_000;

/** The affected versions as a range. One that would be too long is a single span around all of them. */
function formatAffected(statements: readonly ParsedRanges[]): string {
  const spans = dropRepeated(statements.flatMap(listSpans));
  const versions = statements.flatMap((statement) => statement.versions).filter(isReadable);
  const singles = dropRepeated(versions.map((version) => [version]));

  // Alternatives that need more comparisons are too long anyway.
  const compared = spans.length * singles.length > maxComparisons ? [] : spans;
  const others = singles.filter(([single]) => !isInRange(compared, single!.bound));
  const alternatives = [...spans, ...others];
  const texts = alternatives.map(formatAlternative);
  if (texts.includes(everyVersion)) {
    return everyVersion;
  }

  const range = texts.join(' || ');
  return RangeText.safeParse(range).success ? range : formatAlternative(enclose(alternatives));
}

function dropRepeated(alternatives: readonly Alternative[]): Alternative[] {
  const byText = new Map(alternatives.map((each) => [formatAlternative(each), each]));
  return [...byText.values()];
}

function formatAlternative(bounds: Alternative): string {
  const comparisons = bounds.filter(({ bound }) => bound !== beforeAll.bound);
  return comparisons.map(({ sign, text }) => `${sign}${text}`).join(' ') || everyVersion;
}

/** The spans of a statement. All versions are affected if nothing in it can be read. */
function listSpans({ ranges, versions }: ParsedRanges): Alternative[] {
  const spans = ranges.flatMap(listRangeSpans);
  return spans.length > 0 || versions.some(isReadable) ? spans : [[beforeAll]];
}

function listRangeSpans(bounds: readonly Bound[]): Alternative[] {
  const spans: Alternative[] = [];
  let starts: ReadableBound[] = [];

  for (const event of orderBounds(bounds)) {
    const [start, ...laterStarts] = starts;
    if (event.sign === '>=') {
      starts.push(event);
    } else if (start) {
      spans.push([start, event]);
      // In `introduced 0, last_affected 1.0, introduced 1.0, fixed 2.0`, the versions after 1.0 are affected, too.
      starts = laterStarts.filter(({ bound }) => compareToBound(bound, event.bound) === 0);
    }
  }

  const [open] = starts;
  return open ? [...spans, [open]] : spans;
}

/**
 * The bounds of a range, beginning with a start. A range that begins with an end has all versions before it. An unreadable start may lie
 * before any other bound, so that it has all versions up to the last one. An unreadable end is ignored.
 */
function orderBounds(bounds: readonly Bound[]): ReadableBound[] {
  const ordered = bounds.filter(isReadable).sort(compareBounds);
  if (bounds.some((bound) => bound.sign === '>=' && !isReadable(bound))) {
    return [beforeAll, ...ordered.slice(-1)];
  }

  const beginsWithStart = bounds.length === 0 || ordered[0]?.sign === '>=';
  return beginsWithStart ? ordered : [beforeAll, ...ordered];
}

/** As a range compares them: `1.0` and `1.0.0` are one bound. */
function compareBounds(a: ReadableBound, b: ReadableBound): number {
  return compareToBound(a.bound, b.bound) || signs.indexOf(a.sign) - signs.indexOf(b.sign);
}

/** One span around all alternatives: from the least start to the greatest end. */
function enclose(alternatives: readonly Alternative[]): Alternative {
  const starts = alternatives.map((alternative) => alternative[0]!).sort(compareBounds);
  const ends = alternatives.map((alternative) => alternative.at(-1)!).sort(compareBounds);
  const [start, end] = [starts[0]!, ends.at(-1)!];

  const isOpen = ends.some(({ sign }) => sign === '>=');
  const last = { ...end, sign: end.sign === '=' ? '<=' : end.sign };
  return [{ ...start, sign: '>=' }, ...(isOpen ? [] : [last])];
}
