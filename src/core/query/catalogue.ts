import { ageOf, ages, type Age } from './ages.ts';
import { fields, type Row } from './fields.ts';
import { selects } from './match.ts';
import type { Query } from './parse.ts';

/** The releases of a component in the form of `search.json`: what all of them share, or all of a line, stands once. */
export interface CompactComponent extends Omit<Row, 'releases'> {
  /** Not part of any release, so that no query finds it. */
  readonly coming?: readonly object[];
  readonly lines: readonly CompactLine[];
}

export interface CompactLine extends Omit<Row, 'releases'> {
  readonly releases: readonly Row[];
}

/**
 * The releases of an index by component, then in version order. They stay in their compact form: an index may have a hundred
 * thousand.
 */
export type Catalogue = readonly PlacedRelease[];

export interface PlacedRelease {
  /** What all releases of the line have in common; a field of the release itself takes precedence. */
  readonly shared: Row;
  readonly own: Row;
}

/** The flags that are absent from `search.json` where they are false. */
export const mostlyFalse: Row = Object.fromEntries(
  fields.filter(({ isMostlyFalse }) => isMostlyFalse).map(({ name }) => [name, false]),
);

export function catalogueOf(
  components: Iterable<readonly [component: string, compact: CompactComponent]>,
): Catalogue {
  return Array.from(components, ([component, { lines, coming, ...ofComponent }]) => {
    const releases = lines.flatMap((line) => line.releases).length;
    return lines.map(({ releases: ofLine, ...own }) => {
      const shared = { component, ...ofComponent, releases, ...mostlyFalse, ...own };
      return ofLine.map((own) => ({ shared, own }));
    });
  }).flat(2);
}

/** The releases of a component one by one, oldest first, each with all of its fields. */
export function expand(component: string, compact: CompactComponent): Row[] {
  return catalogueOf([[component, compact]]).map(rowOf);
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
