import { ageOf, ages, type Age } from './ages.ts';
import type { Row } from './fields.ts';
import type { FoldedComponent } from './folded.ts';
import { selects } from './match.ts';
import type { Query } from './parse.ts';

/**
 * The releases of an index where they lie in its documents, by component, then in version order: of a hundred thousand,
 * nothing is copied.
 */
export type Catalogue = readonly PlacedRelease[];

export interface PlacedRelease {
  /** What it says like all of its line, unless it says otherwise by itself. */
  readonly shared: Row;
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
  return Array.from(components, ([component, { lines, coming, ...ofComponent }]) => {
    const releases = lines.flatMap((line) => line.releases).length;
    return lines.map(({ releases: ofLine, ...own }) => {
      const shared = { component, ...ofComponent, releases, ...mostlyFalse, ...own };
      return ofLine.map((own) => ({ shared, own }));
    });
  }).flat(2);
}

/** A release with all of its fields. */
export function rowOf({ shared, own }: PlacedRelease): Row {
  return { ...shared, ...own };
}

/** Whether a query selects a release as of a day. Ages, which no document holds, count from its start. */
export function createSelection(query: Query, day: string): (release: PlacedRelease) => boolean {
  const now = Date.parse(day);
  // What is looked at: a function for each would be one for each of a hundred thousand releases.
  let looked: PlacedRelease;
  const stated = (name: string) => looked.own[name as keyof Row] ?? looked.shared[name as keyof Row];
  const valueOf = (name: string) => {
    const since: keyof Row | undefined = ages[name as Age];
    if (since === undefined) return stated(name);
    const time = stated(since);
    return typeof time === 'string' ? ageOf(name as Age, time, now) : undefined;
  };

  return (release) => {
    looked = release;
    return selects(query, valueOf);
  };
}
