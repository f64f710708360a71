import { limitWork } from './budget.ts';
import type { Row } from './fields.ts';
import { createSelector } from './match.ts';
import type { Query } from './parse.ts';
import { findNamedComponent } from './query-terms.ts';
import { ages, computeAge, isAge, type SplitRow } from './rows.ts';

/** The releases of an index by component, then in version order. */
export type Catalogue = readonly SplitRow[];

/**
 * The releases that a query must test: those of the component that it names, or else all. Throws a `QuestionError` where there
 * are too many.
 */
export function findCandidates(catalogue: Catalogue, query: Query): Catalogue {
  const name = findNamedComponent(query);
  const candidates =
    name === undefined ? catalogue : catalogue.filter(({ shared }) => shared.component === name);
  limitWork(query, candidates.length);
  return candidates;
}

/** The releases that a query selects as of a day. Throws a `QuestionError`. */
export function select(catalogue: Catalogue, query: Query, day: string): Catalogue {
  return findCandidates(catalogue, query).filter(createSelection(query, day));
}

/** A test whether a query selects a release as of a day. The query is compiled once for all releases. */
export function createSelection(query: Query, day: string): (release: SplitRow) => boolean {
  const now = Date.parse(day);
  return createSelector(query, (field) =>
    isAge(field)
      ? (release) => computeAge(field, readField(release, ages[field]), now)
      : (release) => readField(release, field as keyof Row),
  );
}

function readField<F extends keyof Row>({ shared, row }: SplitRow, field: F): Row[F] {
  return row[field] ?? shared[field];
}
