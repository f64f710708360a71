import { computeAge, ages, type Age } from './ages.ts';
import { limitWork } from './budget.ts';
import type { Row } from './fields.ts';
import { createTest, isSelectedBy } from './match.ts';
import { namedComponent, type Query } from './parse.ts';

/** The releases of an index by component, then in version order. */
export type Catalogue = readonly PlacedRow[];

/** A row in two parts. */
export interface PlacedRow {
  /** The fields that all releases of the line share, stored once: an index may have a hundred thousand releases. */
  readonly shared: Row;
  readonly row: Row & { readonly version: string };
}

const grouped = new WeakMap<Catalogue, ReadonlyMap<string, Catalogue>>();

/** The releases of one component. The first call groups the whole catalogue. */
function releasesIn(catalogue: Catalogue, component: string): Catalogue {
  const groups =
    grouped.get(catalogue) ?? Map.groupBy(catalogue, ({ shared }) => shared.component as string);
  grouped.set(catalogue, groups);
  return groups.get(component) ?? [];
}

/** A release with all of its fields. */
export function toRow({ shared, row }: PlacedRow): Row {
  return { ...shared, ...row };
}

/**
 * The releases that a query has to test: of the component that it names, or all. Throws a `QuestionError` where they are
 * too many.
 */
export function findCandidates(catalogue: Catalogue, query: Query): Catalogue {
  const name = namedComponent(query);
  const candidates = name === undefined ? catalogue : releasesIn(catalogue, name);
  limitWork(query, candidates.length);
  return candidates;
}

/** The releases that a query selects as of a day. Throws a `QuestionError`. */
export function select(catalogue: Catalogue, query: Query, day: string): Catalogue {
  return findCandidates(catalogue, query).filter(createSelection(query, day));
}

/** Whether a query selects a release as of a day. Ages are computed at its start, since no document holds them. */
export function createSelection(query: Query, day: string): (release: PlacedRow) => boolean {
  const now = Date.parse(day);

  return isSelectedBy(query, ({ name, type }, test) => {
    const field = (ages[name as Age] ?? name) as keyof Row;
    const passes = createTest(test, type);
    const passesStated = (value: unknown) =>
      passes(
        name in ages && typeof value === 'string' ? computeAge(name as Age, value, now) : value,
      );

    // Releases of one line are adjacent, so a shared value is tested once.
    let last: Row | undefined;
    let isSharedPassing = false;

    return ({ shared, row }) => {
      const value = row[field];
      if (value !== undefined) {
        return passesStated(value);
      }
      if (shared !== last) {
        [last, isSharedPassing] = [shared, passesStated(shared[field])];
      }

      return isSharedPassing;
    };
  });
}
