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

interface AffectedVersions {
  /** In the form of an advisory. */
  readonly range: string;
  readonly fixed: readonly string[];
  /** Unreadable bounds and versions. */
  readonly unreadable: readonly string[];
}

/** A longer list of single versions becomes one range. */
const longestList = 8000;

/** Unites several statements. An unreadable bound widens the affected range, never narrows it. */
export function uniteAffected(packageRanges: readonly Ranges[]): AffectedVersions {
  const unreadable = new Set<string>();
  const fixed = new Set<string>();
  const alternatives = new Set<string>();

  for (const { ranges, versions } of packageRanges) {
    // Ranges of commits have no versions.
    const ordered = (ranges ?? []).filter(({ type }) => type !== 'GIT');
    for (const { events } of ordered) {
      for (const span of listSpansBetween(readBounds(events, fixed, unreadable))) {
        alternatives.add(span);
      }
    }

    const readable = (versions ?? [])
      .map((text) => readVersion(text, unreadable))
      .filter((value) => value !== undefined);
    const isCovered = createRangeTest([...alternatives]);
    for (const span of listSingleVersions(readable.filter((version) => !isCovered(version)))) {
      alternatives.add(span);
    }
    if (ordered.length + readable.length === 0) {
      alternatives.add('*');
    }
  }

  return {
    range: alternatives.has('*') ? '*' : [...alternatives].join(' || '),
    fixed: [...fixed],
    unreadable: [...unreadable],
  };
}

function createRangeTest(alternatives: readonly string[]): (version: Version) => boolean {
  const range = alternatives.length === 0 ? [] : parseVersionRange(alternatives.join(' || '))!;
  return (version) => isInRange(range, version);
}

function readVersion(text: string, unreadable: Set<string>): Version | undefined {
  const version = parseVersion(text);
  if (!version) {
    unreadable.add(text.slice(0, 100));
  }

  return version;
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
  readonly kind: (typeof kinds)[number];
  readonly text: string;
  readonly version: Version | undefined;
}

/** The bounds of events, sorted. Adds the fixed versions, and the texts that are no version, to the sets. */
function readBounds(
  events: readonly Event[],
  fixed: Set<string>,
  unreadable: Set<string>,
): Bound[] {
  const bounds: Bound[] = [];

  for (const { introduced, fixed: end, last_affected: last } of events) {
    const texts = { start: introduced, end, last };
    for (const kind of ['start', 'end', 'last'] as const) {
      const text = texts[kind];
      if (text === undefined) {
        continue;
      }

      // A start without a readable version precedes all versions. An end without one is ignored.
      const version = text === '0' ? undefined : readVersion(text, unreadable);
      if (kind === 'start' || version) {
        bounds.push({ kind, text, version });
      }
      if (kind === 'end' && version) {
        fixed.add(text);
      }
    }
  }

  return bounds.sort((a, b) => {
    if (!a.version || !b.version) {
      return Number(Boolean(a.version)) - Number(Boolean(b.version));
    }

    return compareVersions(a.version, b.version) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
  });
}

/** The spans between sorted bounds. */
function listSpansBetween(bounds: readonly Bound[]): string[] {
  const spans: { from: string; to?: string }[] = [];

  for (const { kind, text, version } of bounds) {
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
