/** The affected versions of OSV documents as a range (ossf.github.io/osv-schema, "affected"). */
import * as z from 'zod';
import { compareToBound, createVersionTest } from '../core/range.ts';
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

/** In this order at one version: fixed there, it may be affected again. */
const signOrder = ['<', '>=', '<='] as const;

interface Bound {
  sign: (typeof signOrder)[number];
  /** Undefined for a text that is none. */
  version: Version | undefined;
}

type ReadBound = Bound & { version: Version };

/** The start `0` precedes every version: a group without digits is less than any number. */
const zeroStart: ReadBound = {
  sign: '>=',
  version: { text: '0', groups: [''], suffix: '' },
};

/** The first versions without the vulnerability. */
export function listFixed(affected: readonly Affected[]): string[] {
  const ends = affected
    .flatMap(listBoundLists)
    .flat()
    .filter(({ sign }) => sign === '<');
  return [...new Set(ends.flatMap(({ version }) => version?.text ?? []))];
}

/** The affected versions. What cannot be read widens the range, never narrows it. */
export function formatRange(affected: readonly Affected[]): string {
  const spans = [...new Set(affected.flatMap(listBoundLists).flatMap(listSpans))];
  const versions = affected
    .flatMap((entry) => entry.versions ?? [])
    .flatMap((text) => readVersionText(text) ?? [])
    .sort(compareToBound);
  // Without a span, no version is covered.
  const whole = spans.join(' || ') || '<0';
  // With too many spans, each version would be compared with all.
  if (spans.includes('*') || !isRange(whole)) {
    return '*';
  }

  const isCovered = createVersionTest(whole);
  const others = versions.filter((version) => !isCovered(version));
  const exact = [...spans, ...new Set(others.map(({ text }) => `=${text}`))].join(' || ');
  if (exact === '') {
    return '*';
  }
  if (isRange(exact)) {
    return exact;
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
    return isStart ? zeroStart : { sign, version: readVersionText(text) };
  });
}

/** A version that a range can name. */
function readVersionText(text: string): Version | undefined {
  return isRange(`=${text}`) ? parseVersion(text) : undefined;
}

/** The spans between the starts and the ends of a range: `>=1.0 <1.2`. */
function listSpans(bounds: readonly Bound[]): string[] {
  const spans: string[] = [];
  let from: ReadBound | undefined;
  let latestStart = zeroStart;
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
function orderBounds(bounds: readonly Bound[]): ReadBound[] {
  const readable = bounds
    .filter((bound): bound is ReadBound => bound.version !== undefined)
    .sort((a, b) => compareBounds(a, b) || signOrder.indexOf(a.sign) - signOrder.indexOf(b.sign));

  // A start that cannot be read may lie before any other bound.
  const isOpen = bounds.some(({ sign, version }) => sign === '>=' && version === undefined);
  if (isOpen) {
    return [zeroStart, ...readable.slice(-1)];
  }
  // A range that begins with an end has all versions before it.
  const lacksStart = bounds.length > 0 && readable[0]?.sign !== '>=';
  return lacksStart ? [zeroStart, ...readable] : readable;
}

function compareBounds(a: ReadBound, b: ReadBound): number {
  return compareToBound(a.version, b.version);
}

function formatSpan(...bounds: ReadBound[]): string {
  const stated = bounds.filter((bound) => bound !== zeroStart);
  return stated.map(({ sign, version }) => `${sign}${version.text}`).join(' ') || '*';
}
