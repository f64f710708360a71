import { createTest, isSelectedBy } from '../../../src/core/query/match.ts';
import type { Query } from '../../../src/core/query/parse.ts';

type Item = Readonly<Record<string, unknown>>;

/** Whether a query selects a row: an unknown value passes no test, and therefore every negated one. */
export function matches(query: Query, row: Item): boolean {
  return isSelectedBy<Item>(query, ({ name, type }, test) => {
    const passes = createTest(test, type);
    return (row) => passes(row[name]);
  })(row);
}
