import type { Day } from '../core/dates.ts';
import { answeredRow } from '../core/query/ages.ts';
import { rowOf, select } from '../core/query/catalogue.ts';
import type { Row } from '../core/query/fields.ts';
import { namedComponent, parseQuery } from '../core/query/parse.ts';
import { counted } from '../core/text.ts';
import type { PublishedIndex } from './published-index.ts';

/**
 * The releases that a query selects as of a day, by component, then in version order: how many, and the first of them.
 * Throws a `QueryError` or a `TooMuchToSearchError`.
 */
export async function searchReleases(
  index: PublishedIndex,
  text: string,
  day: Day,
  most = Infinity,
): Promise<{ total: number; releases: Row[] }> {
  const query = parseQuery(text, day);
  const found = select(await index.catalogue(namedComponent(query)), query, day);
  const releases = found.slice(0, most).map((release) => answeredRow(rowOf(release), day));
  return { total: found.length, releases };
}

/** How many were found, in a sentence. */
export function describeResults(releases: readonly Row[]): string {
  if (releases.length === 0) return 'No release matches.';
  const components = new Set(releases.map(({ component }) => component)).size;
  return `${counted(releases.length, 'release')} of ${counted(components, 'component')}.`;
}
