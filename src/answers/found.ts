import type { Day } from '../dates.ts';
import { answeredRow } from '../query/ages.ts';
import { createSelection, rowOf } from '../query/catalogue.ts';
import type { Row } from '../query/fields.ts';
import { namedComponent, parseQuery } from '../query/parse.ts';
import type { PublishedIndex } from './published-index.ts';

/** The releases that a query selects as of a day, by component, then in version order. Throws a `QueryError`. */
export async function findReleases(index: PublishedIndex, text: string, day: Day): Promise<Row[]> {
  const query = parseQuery(text, day);
  const catalogue = await index.catalogue(namedComponent(query));
  const isSelected = createSelection(catalogue, query, day);
  return catalogue.releases.filter(isSelected).map((release) => answeredRow(rowOf(catalogue, release), day));
}
