import * as z from 'zod';
import { isInRange, parseVersionRange } from '../../../core/model/version-range.ts';
import { compareVersions, parseVersion, type Version } from '../../../core/model/version.ts';

const Event = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
});
type Event = z.infer<typeof Event>;

/** The affected versions of a package (ossf.github.io/osv-schema, "affected[]"): in its ranges and its list. */
export const Ranges = z.object({
  ranges: z.array(z.object({ type: z.string(), events: z.array(Event) })).nullish(),
  versions: z.array(z.string()).nullish(),
});
type Ranges = z.infer<typeof Ranges>;

export interface AffectedVersions {
  /** In the form of an advisory. */
  range: string;
  fixed: readonly string[];
  /** Unreadable bounds and versions. */
  unreadable: readonly string[];
}

/** A longer list of single versions becomes one range. */
const longestList = 8000;

/** Unites several statements. An unreadable bound widens the affected range, never narrows it. */
export function uniteAffected(packageRanges: readonly Ranges[]): AffectedVersions {
  const statements = packageRanges.map(parseRanges);
  const bounds = statements.flatMap(({ ranges }) => ranges.flat());
  const fixes = bounds.filter(({ kind, version }) => kind === 'end' && version);
  const unreadable = statements
    .flatMap(({ ranges, versions }) => [...ranges.flat(), ...versions])
    .filter(({ text, version }) => !version && text !== everyVersion);

  return {
    range: joinAlternatives(statements),
    fixed: [...new Set(fixes.map(({ text }) => text))],
    unreadable: [...new Set(unreadable.map(({ text }) => text.slice(0, 100)))],
  };
}

/** The start that precedes every version. */
const everyVersion = '0';

type ParsedRanges = ReturnType<typeof parseRanges>;

/** The bounds of each range, and the single versions. */
function parseRanges({ ranges, versions }: Ranges) {
  // Ranges of commits have no versions.
  const ordered = (ranges ?? []).filter(({ type }) => type !== 'GIT');
  return {
    ranges: ordered.map(({ events }) => parseBounds(events)),
    versions: (versions ?? []).map((text) => ({ text, version: parseVersion(text) })),
  };
}

/** All versions are affected if a statement has nothing that can be read. */
function joinAlternatives(statements: readonly ParsedRanges[]): string {
  let alternatives: string[] = [];

  for (const { ranges, versions } of statements) {
    const spans = ranges.flatMap(listSpansBetween);
    const readable = versions
      .map(({ version }) => version)
      .filter((version) => version !== undefined);
    if (spans.length + readable.length === 0) {
      return '*';
    }

    alternatives = [...new Set([...alternatives, ...spans])];
    const uncovered = selectUncovered(readable, alternatives.join(' || '));
    alternatives = [...alternatives, ...listSingleVersions(uncovered)];
  }

  return alternatives.includes('*') ? '*' : [...new Set(alternatives)].join(' || ');
}

/** An advisory with a longer range is rejected, so its versions need no comparison with thousands of spans. */
const longestRange = 10_000;

function selectUncovered(versions: readonly Version[], range: string): readonly Version[] {
  if (range === '' || range.length > longestRange) {
    return versions;
  }

  // Its bounds are versions that could be read.
  const spans = parseVersionRange(range)!;
  return versions.filter((version) => !isInRange(spans, version));
}

/** Lists single versions; if there are too many, the range between the least and the greatest. */
function listSingleVersions(versions: readonly Version[]): string[] {
  const texts = versions.map(({ text }) => `=${text}`);
  if (texts.join(' || ').length <= longestList) {
    return texts;
  }

  const sorted = versions.toSorted(compareVersions);
  return [`>=${sorted[0]?.text} <=${sorted.at(-1)?.text}`];
}

/** Bounds at one version come in this order: the one that opens a span comes last, to keep it open. */
const kinds = ['last', 'end', 'start'] as const;

interface Bound {
  kind: (typeof kinds)[number];
  text: string;
  version: Version | undefined;
}

function parseBounds(events: readonly Event[]): Bound[] {
  const bounds: Bound[] = [];

  for (const { introduced, fixed, last_affected } of events) {
    const texts = { start: introduced, end: fixed, last: last_affected };
    for (const kind of kinds) {
      const text = texts[kind];
      if (text !== undefined) {
        bounds.push({
          kind,
          text,
          version: text === everyVersion ? undefined : parseVersion(text),
        });
      }
    }
  }

  return bounds;
}

/** The spans between bounds. A start without a readable version precedes all versions. An end without one is ignored. */
function listSpansBetween(bounds: readonly Bound[]): string[] {
  const spans: { from: string; to?: string }[] = [];
  const usable = bounds.filter(({ kind, version }) => kind === 'start' || version);

  for (const { kind, text, version } of usable.sort(compareBounds)) {
    const span = spans.at(-1);
    const to = kind === 'end' ? `<${text}` : `<=${text}`;
    if (kind === 'start') {
      if (!span || span.to !== undefined) {
        spans.push({ from: version ? `>=${text}` : '' });
      }
    } else if (span) {
      span.to ??= to;
    } else {
      spans.push({ from: '', to });
    }
  }

  return spans.map(({ from, to = '' }) => `${from} ${to}`.trim() || '*');
}

function compareBounds(a: Bound, b: Bound): number {
  if (!a.version || !b.version) {
    return Number(Boolean(a.version)) - Number(Boolean(b.version));
  }

  return compareVersions(a.version, b.version) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
}
