/** The affected versions of OSV documents as a range (ossf.github.io/osv-schema, "affected"). */
import * as z from 'zod';
import { compareToBound, isInRange, parseRange } from '../core/range.ts';
import { RangeText } from '../core/schema/scalars.ts';
import { parseVersion, type Version } from '../core/version.ts';

/** CVSS vectors, or words that a database defines. */
export const Severities = z
  .array(z.object({ type: z.string(), score: z.string() }))
  .nullish()
  .catch(null);
const Event = z.object({
  introduced: z.string().nullish(),
  fixed: z.string().nullish(),
  last_affected: z.string().nullish(),
});
export const Affected = z.object({
  severity: Severities,
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  ranges: z.array(z.object({ type: z.string(), events: z.array(Event) })).nullish(),
  versions: z.array(z.string()).nullish(),
});
export type Affected = z.infer<typeof Affected>;

/** At one version, an end comes before a start: it may be fixed and affected again. */
const signs = ['<', '>=', '<='] as const;

interface Bound {
  sign: (typeof signs)[number];
  text: string;
  /** Undefined for a text that is none. */
  version: Version | undefined;
}

/** The start `0` precedes every version. */
const start: Bound = {
  sign: '>=',
  text: '0',
  version: { text: '0', groups: [''], suffix: '' },
};

/** The first versions without the vulnerability. */
export function listFixed(affected: readonly Affected[]): string[] {
  const ends = affected
    .flatMap(listBoundLists)
    .flat()
    .filter(({ sign, version }) => sign === '<' && version);
  return [...new Set(ends.map(({ text }) => text))];
}

/** The affected versions. What cannot be read widens the range, never narrows it. */
export function formatRange(affected: readonly Affected[]): string {
  const spans = [...new Set(affected.flatMap(listBoundLists).flatMap(listSpans))];
  const whole = spans.join(' || ') || '<0';
  // With too many spans, each version would be compared with all.
  if (spans.includes('*') || !isRange(whole)) {
    return '*';
  }

  const range = parseRange(whole)!;
  const versions = affected
    .flatMap((entry) => entry.versions ?? [])
    .flatMap((text) => readVersionText(text) ?? [])
    .sort(compareToBound);
  const others = versions.filter((version) => !isInRange(range, version));
  const exact = [...spans, ...new Set(others.map(({ text }) => `=${text}`))].join(' || ');
  if (isRange(exact) || others.length === 0) {
    return exact || '*';
  }

  // Of too many versions, a span around all.
  const around = [...spans, `>=${others[0]!.text} <=${others.at(-1)!.text}`].join(' || ');
  return isRange(around) ? around : '*';
}

function isRange(text: string): boolean {
  return RangeText.safeParse(text).success;
}

/** The bounds of each range of versions; those of commits have none. */
function listBoundLists({ ranges }: Affected): Bound[][] {
  return (ranges ?? [])
    .filter(({ type }) => type !== 'GIT')
    .map(({ events }) => events.flatMap(readEvent));
}

function readEvent({ introduced, fixed, last_affected: last }: z.infer<typeof Event>): Bound[] {
  const stated = [
    ['<', fixed],
    ['>=', introduced],
    ['<=', last],
  ] as const;
  return stated.flatMap(([sign, text]) => {
    if (typeof text !== 'string') {
      return [];
    }
    const isStart = sign === '>=' && text === '0';
    return isStart ? start : { sign, text, version: readVersionText(text) };
  });
}

/** A version that a range can name. */
function readVersionText(text: string): Version | undefined {
  return isRange(`=${text}`) ? parseVersion(text) : undefined;
}

/** The spans between the starts and the ends of a range: `>=1.0 <1.2`. */
function listSpans(bounds: readonly Bound[]): string[] {
  const spans: string[] = [];
  let from: Bound | undefined;
  let latestStart = start;
  for (const bound of orderBounds(bounds)) {
    if (bound.sign === '>=') {
      from ??= bound;
      latestStart = bound;
    } else if (from) {
      spans.push(formatSpan(from, bound));
      // In `introduced 0, last_affected 1.0, introduced 1.0`, later versions are affected, too.
      const isAgain = from !== latestStart && compareBounds(latestStart, bound) === 0;
      from = isAgain ? latestStart : undefined;
    }
  }
  return from ? [...spans, formatSpan(from)] : spans;
}

/** The readable bounds in order, beginning with a start. */
function orderBounds(bounds: readonly Bound[]): Bound[] {
  const readable = bounds
    .filter(({ version }) => version !== undefined)
    .sort((a, b) => compareBounds(a, b) || signs.indexOf(a.sign) - signs.indexOf(b.sign));

  // A start that cannot be read may lie before any other bound.
  const isOpen = bounds.some(({ sign, version }) => sign === '>=' && version === undefined);
  if (isOpen) {
    return [start, ...readable.slice(-1)];
  }
  // A range that begins with an end has all versions before it.
  const lacksStart = bounds.length > 0 && readable[0]?.sign !== '>=';
  return lacksStart ? [start, ...readable] : readable;
}

function compareBounds(a: Bound, b: Bound): number {
  return compareToBound(a.version!, b.version!);
}

function formatSpan(...bounds: Bound[]): string {
  const stated = bounds.filter((bound) => bound !== start);
  return stated.map(({ sign, text }) => `${sign}${text}`).join(' ') || '*';
}
