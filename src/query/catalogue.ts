import { ageOf, ages } from './ages.ts';
import type { Row } from './fields.ts';
import type { FoldedComponent } from './folded.ts';
import { decide, untold } from './match.ts';
import type { Query } from './parse.ts';

/** The releases of an index where they lie in its documents: of a hundred thousand, nothing is copied. */
export interface Catalogue {
  readonly lines: readonly PlacedLine[];
  /** By component, then in version order. */
  readonly releases: readonly PlacedRelease[];
}

interface PlacedLine {
  /** What all of its releases share. */
  readonly shared: Row;
  /** The names of what any release of it says by itself. */
  readonly own: ReadonlySet<string>;
}

export interface PlacedRelease {
  /** Index of its line. */
  readonly line: number;
  readonly own: Row;
}

/** Flags that are left out where they are false, as they mostly are. */
export const mostlyFalse = {
  isDeprecated: false,
  isPrerelease: false,
  isWithdrawn: false,
  isLatest: false,
  isLatestOfLine: false,
} as const satisfies Row;

export function catalogueOf(
  components: Iterable<readonly [component: string, folded: FoldedComponent]>,
): Catalogue {
  const lines: PlacedLine[] = [];
  const placed: PlacedRelease[] = [];
  for (const [component, { lines: ofComponent, coming: _, ...shared }] of components) {
    const releases = ofComponent.reduce((count, line) => count + line.releases.length, 0);
    for (const { releases: ofLine, ...ownOfLine } of ofComponent) {
      const own = new Set<string>();
      for (const release of ofLine) {
        for (const name in release) own.add(name);
        placed.push({ line: lines.length, own: release });
      }
      lines.push({ shared: { component, ...shared, releases, ...mostlyFalse, ...ownOfLine }, own });
    }
  }
  return { lines, releases: placed };
}

/** A release with all of its fields. */
export function rowOf({ lines }: Catalogue, { line, own }: PlacedRelease): Row {
  return { ...lines[line]!.shared, ...own };
}

/**
 * Whether a query selects a release as of a day. What a line's releases share is decided once for all of them, and where that
 * is enough, they are not looked at.
 */
export function createSelection(
  { lines }: Catalogue,
  query: Query,
  day: string,
): (release: PlacedRelease) => boolean {
  const now = Date.parse(day);
  const verdicts: (boolean | 'open')[] = [];
  // What is looked at: a function for each would be one for each of a hundred thousand releases.
  let line: PlacedLine = { shared: {}, own: new Set() };
  let release: Row = {};
  const ofLine = withAgesOf((name) => (line.own.has(name) ? untold : line.shared[name]), now);
  const ofRelease = withAgesOf((name) => release[name] ?? line.shared[name], now);

  return ({ line: index, own }) => {
    line = lines[index]!;
    const verdict = (verdicts[index] ??= decide(query, ofLine) ?? 'open');
    if (verdict !== 'open') return verdict;
    release = own;
    return decide(query, ofRelease) === true;
  };
}

/** Tells ages, which no document holds, from the times that they count from or to. */
function withAgesOf(valueOf: (name: keyof Row) => unknown, now: number): (name: string) => unknown {
  return (name) => {
    if (name !== 'age' && name !== 'supportLeft') return valueOf(name as keyof Row);
    const time = valueOf(ages[name]);
    return typeof time === 'string' ? ageOf(name, time, now) : time;
  };
}
