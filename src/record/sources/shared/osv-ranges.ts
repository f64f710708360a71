import * as z from 'zod';
import { compareToBound, isInRange, type Comparator } from '../../../core/model/version-range.ts';
import { RangeText } from '../../../core/schemas/scalars.ts';
import { compareVersions, parseVersion, type Version } from '../../../core/model/version.ts';

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

/** Undefined also for a version that the range of an advisory cannot name, such as `1.x`. */
function readBound(text: string): Version | undefined {
  return RangeText.safeParse(`=${text}`).success ? parseVersion(text) : undefined;
}

/** Unites several statements. An unreadable bound widens the affected range, never narrows it. */
export function uniteAffected(packageRanges: readonly Ranges[]) {
  const statements = packageRanges.map(parseRanges);
  const bounds = statements.flatMap(({ ranges }) => ranges.flat());
  const fixes = bounds.filter(({ kind, version }) => kind === 'fixed' && version);
  const versions = statements.flatMap((statement) => statement.versions);
  const texts = [...bounds.map(({ text }) => text), ...versions];
  const unreadable = texts.filter((text) => !readBound(text));

  return {
    /** In the form of an advisory. */
    range: joinAlternatives(statements),
    /** May repeat a version. */
    fixed: fixes.map(({ text }) => text),
    /** Bounds and versions. */
    unreadable: [...new Set(unreadable.map((text) => text.slice(0, 100)))],
  };
}

/** Bounds at one version come in this order: a version may be fixed and affected again, or the only affected one. */
const kinds = ['fixed', 'introduced', 'last_affected'] as const;

interface Bound {
  kind: (typeof kinds)[number];
  text: string;
  /** Undefined for a start at `0` and for an unreadable text: as the start of a span, both precede every version. */
  version: Version | undefined;
}

type ParsedRanges = ReturnType<typeof parseRanges>;

/** The bounds of each range, and the single versions. */
function parseRanges({ ranges, versions }: Ranges) {
  // Ranges of commits have no versions.
  const ordered = (ranges ?? []).filter(({ type }) => type !== 'GIT');
  return {
    ranges: ordered.map(({ events }) => events.flatMap(parseBounds)),
    versions: versions ?? [],
  };
}

function parseBounds(event: Event): Bound[] {
  const bounds: Bound[] = [];
  for (const kind of kinds) {
    const text = event[kind];
    if (typeof text === 'string') {
      const isBeforeAll = kind === 'introduced' && text === '0';
      bounds.push({ kind, text, version: isBeforeAll ? undefined : readBound(text) });
    }
  }

  return bounds;
}

/** Comparisons that all hold for an affected version; none if every version is affected. */
type Alternative = readonly Comparator[];

const everyVersion = '*';

/** About 0.1 s. Real advisories have some thousand versions and a few ranges. */
const maxComparisons = 1_000_000;

/** All versions are affected if a statement has nothing that can be read. Too many versions are not compared with the ranges. */
function joinAlternatives(statements: readonly ParsedRanges[]): string {
  const parts = statements.map(({ ranges, versions }) => ({
    spans: ranges.flatMap(listSpans),
    versions,
  }));
  if (parts.some(({ spans, versions }) => spans.length === 0 && !versions.some(readBound))) {
    return everyVersion;
  }

  const spans = parts.flatMap((part) => part.spans);
  const texts = new Set(parts.flatMap((part) => part.versions));
  const versions = [...texts].map(readBound).filter((version) => version !== undefined);
  const range = spans.length * versions.length > maxComparisons ? [] : spans;
  const singles = listSingleVersions(versions.filter((version) => !isInRange(range, version)));
  const alternatives = new Set([...spans, ...singles].map(formatAlternative));
  return alternatives.has(everyVersion) ? everyVersion : [...alternatives].join(' || ');
}

function formatAlternative(comparators: Alternative): string {
  return comparators.map(({ sign, bound }) => `${sign}${bound.text}`).join(' ') || everyVersion;
}

/** The spans between bounds. A range that begins with an end has all versions before it. An unreadable end is ignored beside a readable bound. */
function listSpans(bounds: readonly Bound[]): Alternative[] {
  const spans: Alternative[] = [];
  const ordered = bounds.toSorted(compareBounds);
  if (bounds.some(isUnreadableStart)) {
    return [spanUnreadableStart(ordered)];
  }

  let start: Alternative | undefined;
  // In `introduced 0, last_affected 1.0, introduced 1.0, fixed 2.0`, the versions after 1.0 are affected, too.
  let reopenedAt: Version | undefined;

  for (const { kind, version } of ordered) {
    if (kind === 'introduced') {
      reopenedAt = start && version;
      start ??= version ? [{ sign: '>=', bound: version }] : [];
    } else if (version && (start || spans.length === 0)) {
      spans.push([...(start ?? []), createEnd(kind, version)]);
      const isReopened = reopenedAt && compareToBound(reopenedAt, version) === 0;
      start = isReopened ? [{ sign: '>=', bound: version }] : undefined;
    }
  }

  if (spans.length === 0 && bounds.length > 0) {
    start ??= [];
  }

  return start ? [...spans, start] : spans;
}

/** Whether a bound is a start that cannot be read. `0` is before every version. */
function isUnreadableStart({ kind, text, version }: Bound): boolean {
  return kind === 'introduced' && !version && text !== '0';
}

/** All versions up to the last bound, if that is an end: an unreadable start may lie before any other bound. */
function spanUnreadableStart(ordered: readonly Bound[]): Alternative {
  const { kind, version } = ordered.at(-1)!;
  return version && kind !== 'introduced' ? [createEnd(kind, version)] : [];
}

function createEnd(kind: Bound['kind'], bound: Version): Comparator {
  return { sign: kind === 'fixed' ? '<' : '<=', bound };
}

/** As a range compares them: `1.0` and `1.0.0` are one bound. */
function compareBounds(a: Bound, b: Bound): number {
  if (!a.version || !b.version) {
    return Number(Boolean(a.version)) - Number(Boolean(b.version));
  }

  return compareToBound(a.version, b.version) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
}

/** A longer list of single versions becomes one range. */
const longestList = 8000;

/** An alternative for each version; if there are too many, the range between the least and the greatest. */
function listSingleVersions(versions: readonly Version[]): Alternative[] {
  const singles = versions.map((bound): Alternative => [{ sign: '=', bound }]);
  if (singles.map(formatAlternative).join(' || ').length <= longestList) {
    return singles;
  }

  const sorted = versions.toSorted(compareVersions);
  // So long a list is not empty.
  const [least, greatest] = [sorted[0]!, sorted.at(-1)!];
  return [
    [
      { sign: '>=', bound: least },
      { sign: '<=', bound: greatest },
    ],
  ];
}
