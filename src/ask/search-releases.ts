import { oldestFirst, type Day } from '../core/dates.ts';
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

/** The releases that a query selects, by component, then in version order. */
export interface FoundReleases {
  readonly total: number;
  /** As many of the first as were wanted. */
  readonly releases: readonly Row[];
  /** What to know beside them, in sentences: what a unit means, and which term selects nothing. */
  readonly notes: readonly string[];
}

/** A query of one component only reads that component. Throws a `QueryError` or a `TooMuchToSearchError`. */
export async function searchReleases(
  index: Pick<PublishedIndex, 'catalogue'>,
  text: string,
  day: Day,
  most = Infinity,
): Promise<FoundReleases> {
  const query = parseQuery(text, day);
  const catalogue = await index.catalogue(namedComponent(query));
  const found = select(catalogue, query, day);
  const releases = found.slice(0, most).map((release) => answeredRow(rowOf(release), day));
  return { total: found.length, releases, notes: queryNotes(query, catalogue, day, found) };
}

/** The latest version of each component that has one, as of the day that is asked for. Throws a `TooMuchToSearchError`. */
export async function latestVersions(index: PublishedIndex): Promise<ReadonlyMap<string, string>> {
  const rows = (await index.catalogue()).filter(({ own }) => own.isLatest);
  return new Map(rows.map(({ shared, own }) => [shared.component as string, own.version!]));
}

/** The newest of these releases in each line, the line that ends first before the others. */
export function lastOfEachLine(releases: readonly Row[]): Row[] {
  const byLine = Map.groupBy(releases, ({ component, line }) => `${component} ${line}`);
  const last = Array.from(byLine.values(), (ofLine) => ofLine.at(-1)!);
  return last.sort((a, b) => oldestFirst(a.supportedUntil ?? '', b.supportedUntil ?? ''));
}

/** The fields that are known only where advisories are watched. */
const advisoryFields = new Set(['isVulnerable', 'advisory', 'fixes', 'severity']);

/** What a unit means, of how many a negated flag is unknown, and which term selects nothing. */
function queryNotes(query: Query, catalogue: Catalogue, day: Day, found: Catalogue): string[] {
  const notes = [...unitNotes(query), ...unknownNotes(query, found)];
  const terms = 'and' in query ? query.and : [query];
  if (found.length > 0 || terms.length === 0) return notes;
  const empty = terms.filter((term) => select(catalogue, term, day).length === 0).flatMap(termsOf);
  if (empty.length === 0) return [...notes, 'Each term selects something, and no release has them all.'];
  const isWatched = catalogue.some((release) => rowOf(release).isVulnerable !== undefined);
  const reasons = empty.slice(0, 5).map(({ fields, text = '' }) => {
    if (fields.length > 1) return `No component, title or version contains "${text}".`;
    if (advisoryFields.has(fields[0]!.name) && !isWatched)
      return 'No advisories are watched for these components.';
    return `Nothing matches ${text}.`;
  });
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
