import type { Day } from '../dates.ts';
import { answeredRow } from '../query/ages.ts';
import type { Row } from '../query/fields.ts';
import { matches } from '../query/match.ts';
import { parseQuery } from '../query/parse.ts';
import type { PublishedIndex } from './published-index.ts';

/** The releases that a query selects as of a day, by component, then in version order. Throws a `QueryError`. */
export async function findReleases(index: PublishedIndex, text: string, day: Day): Promise<Row[]> {
  const query = parseQuery(text, day);
  const rows = (await index.rows()).map((row) => answeredRow(row, day));
  return rows.filter((row) => matches(query, row));
}
