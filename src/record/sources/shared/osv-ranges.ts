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
      for (const span of readSpans(events, fixed, unreadable)) {
        alternatives.add(span);
      }
    }

    const readable = (versions ?? [])
      .map((text) => readVersion(text, unreadable))
      .filter((value) => value !== undefined);
    const isCovered = createRangeTest([...alternatives]);
    for (const span of listSpans(readable.filter((version) => !isCovered(version)))) {
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
function listSpans(versions: readonly Version[]): string[] {
  const texts = versions.map(({ text }) => `=${text}`);
  if (texts.join(' || ').length <= longestList) {
    return texts;
  }

  const sorted = versions.toSorted(compareVersions);
  return [`>=${sorted[0]?.text} <=${sorted.at(-1)?.text}`];
}

type Kind = 'end' | 'start' | 'last';

/** The spans between sorted events. At the same version, the event that opens a span comes last, to keep it open. */
function readSpans(
  events: readonly Event[],
  fixed: Set<string>,
  unreadable: Set<string>,
): string[] {
  const sorted = events
    .flatMap(({ introduced, fixed: end, last_affected: last }): [Kind, string | undefined][] => [
      ['start', introduced],
      ['end', end],
      ['last', last],
    ])
    .map(([kind, text]) => {
      if (text === undefined) {
        return undefined;
      }

      return { kind, text, version: text === '0' ? undefined : readVersion(text, unreadable) };
    })
    .filter((value) => value !== undefined);

  for (const { kind, text, version } of sorted) {
    if (kind === 'end' && version) {
      fixed.add(text);
    }
  }

  // A start without a readable version precedes all versions. An end without one is ignored.
  const usable = sorted.filter(({ kind, version }) => kind === 'start' || version);
  const order: readonly Kind[] = ['last', 'end', 'start'];
  usable.sort((a, b) => {
    if (!a.version || !b.version) {
      return Number(Boolean(a.version)) - Number(Boolean(b.version));
    }

    return compareVersions(a.version, b.version) || order.indexOf(a.kind) - order.indexOf(b.kind);
  });

  const spans: { from: string; to?: string }[] = [];

  for (const { kind, text, version } of usable) {
    const span = spans.at(-1);
    if (kind === 'start') {
      if (!span || span.to !== undefined) {
        spans.push({ from: version ? `>=${text}` : '' });
      }
    } else if (!span) {
      spans.push({ from: '', to: kind === 'end' ? `<${text}` : `<=${text}` });
    } else {
      span.to ??= kind === 'end' ? `<${text}` : `<=${text}`;
    }
  }

  return spans.map(({ from, to = '' }) => `${from} ${to}`.trim() || '*');
}
