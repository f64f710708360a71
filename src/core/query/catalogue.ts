import { limitWork } from './budget.ts';
import type { Row } from './fields.ts';
import { createTest, isSelectedBy } from './match.ts';
import type { Query } from './parse.ts';
import { findNamedComponent } from './query-terms.ts';
import { ages, computeAge, type Age, type SplitRow } from './rows.ts';

/** The releases of an index by component, then in version order. */
export type Catalogue = readonly SplitRow[];

const groupCache = new WeakMap<Catalogue, ReadonlyMap<string, Catalogue>>();

/** The releases of one component. The first call groups the whole catalogue. */
function listReleasesIn(catalogue: Catalogue, component: string): Catalogue {
  const groups =
    groupCache.get(catalogue) ?? Map.groupBy(catalogue, ({ shared }) => shared.component as string);
  groupCache.set(catalogue, groups);
  return groups.get(component) ?? [];
}

/**
 * The releases that a query must test: those of the component that it names, or else all. Throws a `QuestionError` where there
 * are too many.
 */
export function findCandidates(catalogue: Catalogue, query: Query): Catalogue {
  const name = findNamedComponent(query);
  const candidates = name === undefined ? catalogue : listReleasesIn(catalogue, name);
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
  return isSelectedBy(query, ({ name, type }, test) => {
    const passes = createTest(test, type);
    if (!(name in ages)) {
      return testSharedValueOnce(name as keyof Row, passes);
    }

    // No document holds an age: it depends on the day of the question.
    const age = name as Age;
    return testSharedValueOnce(ages[age], (time) =>
      passes(computeAge(age, time as string | undefined, now)),
    );
  });
}

/**
 * The releases of a line are adjacent, so a value that they share is tested once: a query of 100,000 releases on 5,000 lines takes
 * 9 ms instead of 25 ms.
 */
function testSharedValueOnce(
  field: keyof Row,
  passes: (value: unknown) => boolean,
): (release: SplitRow) => boolean {
  let lastShared: Row | undefined;
  let isSharedPassing = false;

  return ({ shared, row }) => {
    const value = row[field];
    if (value !== undefined) {
      return passes(value);
    }
    if (shared !== lastShared) {
      lastShared = shared;
      isSharedPassing = passes(shared[field]);
    }

    return isSharedPassing;
  };
}
