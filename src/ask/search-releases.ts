import type { Day } from '../core/dates.ts';
import { answeredRow } from '../core/query/ages.ts';
import { createSelection, rowOf } from '../core/query/catalogue.ts';
import type { Row } from '../core/query/fields.ts';
import { namedComponent, parseQuery } from '../core/query/parse.ts';
import { counted } from '../core/text.ts';
import type { PublishedIndex } from './published-index.ts';

/** The releases that a query selects as of a day, by component, then in version order. Throws a `QueryError`. */
export async function searchReleases(index: PublishedIndex, text: string, day: Day): Promise<Row[]> {
  const query = parseQuery(text, day);
  const catalogue = await index.catalogue(namedComponent(query));
  return catalogue.filter(createSelection(query, day)).map((release) => answeredRow(rowOf(release), day));
}

/** How many were found, in a sentence. */
export function describeResults(releases: readonly Row[]): string {
  if (releases.length === 0) return 'No release matches.';
  const components = new Set(releases.map(({ component }) => component)).size;
  return `${counted(releases.length, 'release')} of ${counted(components, 'component')}.`;
}
