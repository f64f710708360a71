import type { Day } from '../core/dates.ts';
import { answeredRow } from '../core/query/ages.ts';
import { rowOf, select, type Catalogue } from '../core/query/catalogue.ts';
import type { Row } from '../core/query/fields.ts';
import {
  namedComponent,
  negatedFlags,
  parseQuery,
  termsOf,
  unitNotes,
  type Query,
} from '../core/query/parse.ts';
import { counted, grouped } from '../core/text.ts';
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
): Promise<ReturnType<typeof searchCatalogue>> {
  const query = parseQuery(text, day);
  return searchCatalogue(await index.catalogue(namedComponent(query)), query, day, most);
}

/** The latest version of each component that has one, as of the day that is asked for. Throws a `TooMuchToSearchError`. */
export async function latestVersions(index: PublishedIndex): Promise<ReadonlyMap<string, string>> {
  const rows = (await index.catalogue()).filter(({ own }) => own.isLatest);
  return new Map(rows.map(({ shared, own }) => [shared.component as string, own.version!]));
}

/** The same among releases that are read already. */
export function searchCatalogue(catalogue: Catalogue, query: Query, day: Day, most = Infinity) {
  const found = select(catalogue, query, day);
  const releases = found.slice(0, most).map((release) => answeredRow(rowOf(release), day));
  return { total: found.length, releases, notes: queryNotes(query, catalogue, day, found) };
}

/**
 * What to know of a query beside its results, in sentences: what a unit means, of how many a negated flag is unknown, and which
 * term selects nothing.
 */
export function queryNotes(query: Query, catalogue: Catalogue, day: Day, found: Catalogue): string[] {
  const notes = [...unitNotes(query), ...unknownNotes(query, found)];
  const terms = 'and' in query ? query.and : [query];
  if (found.length > 0 || terms.length === 0) return notes;
  const empty = terms.filter((term) => select(catalogue, term, day).length === 0).flatMap(termsOf);
  if (empty.length === 0) return [...notes, 'Each term selects something, and no release has them all.'];
  const reasons = empty
    .slice(0, 5)
    .map(({ fields, text = '' }) =>
      fields.length > 1 ? `No component, title or version contains "${text}".` : `Nothing matches ${text}.`,
    );
  return [...notes, ...new Set(reasons)];
}

/** A negated flag selects also the releases of which it is unknown. */
export function unknownNotes(query: Query, found: Catalogue): string[] {
  return negatedFlags(query).flatMap((name) => {
    const isUnknown = ({ shared, own }: Catalogue[number]) =>
      (own[name as keyof Row] ?? shared[name as keyof Row]) === undefined;
    const count = found.filter(isUnknown).length;
    const which = count === found.length ? 'all' : `${grouped(count)}`;
    return count === 0 ? [] : [`${name} is unknown for ${which} of these; ${name}:* leaves them out.`];
  });
}

/** How many were found, in a sentence. */
export function describeResults(releases: readonly Row[], notes: readonly string[]): string {
  if (releases.length === 0) return ['No release matches.', ...notes].join(' ');
  const components = new Set(releases.map(({ component }) => component)).size;
  return [`${counted(releases.length, 'release')} of ${counted(components, 'component')}.`, ...notes].join(
    ' ',
  );
}
