import { oldestFirst, type Day } from '../core/dates.ts';
import { answeredRow, inOrder } from '../core/query/ages.ts';
import {
  candidatesOf,
  createSelection,
  rowOf,
  select,
  type Catalogue,
  type PlacedRelease,
} from '../core/query/catalogue.ts';
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
import { compareVersions, parseVersion } from '../core/version.ts';
import type { PublishedIndex } from './published-index.ts';

/** The releases that a query selects, by component, then in version order. */
export interface FoundReleases {
  readonly total: number;
  /** As many of the first as were wanted. */
  readonly releases: readonly Row[];
  /** What to know beside them, in sentences: what a unit means, and which term selects nothing. */
  readonly notes: readonly string[];
  /** The last release of a page that has a next one. */
  readonly next?: PageStart;
}

/** Identifies a release in the order of entry, also after others were added or removed. */
export interface PageStart {
  readonly at: number;
  readonly component: string;
  readonly version: string;
}

/** The releases of the whole that are wanted. */
interface Page {
  readonly most?: number;
  /** Whether a row has what depends on the day of the question. */
  readonly isAged?: boolean;
  /** Oldest first by the instant at which they entered the index: from then on, or all with 0, and behind the page before. */
  readonly entered?: { readonly since?: number | undefined; readonly after?: PageStart | undefined };
}

/** Throws a `QueryError` or a `TooMuchToSearchError`. */
export function searchReleases(
  index: Pick<PublishedIndex, 'catalogue'>,
  text: string,
  day: Day,
  most = Infinity,
): Promise<FoundReleases> {
  return selectReleases(index, parseQuery(text, day), day, { most });
}

/** A query of one component only reads that component. Throws a `TooMuchToSearchError`. */
export async function selectReleases(
  index: Pick<PublishedIndex, 'catalogue'>,
  query: Query,
  day: Day,
  { most = Infinity, isAged = true, entered }: Page,
): Promise<FoundReleases> {
  const catalogue = candidatesOf(await index.catalogue(namedComponent(query)), query);
  // In the order of the catalogue, in which that is fastest.
  const isSelected = catalogue.map(createSelection(query, day));
  const { since = 0, after } = entered ?? {};
  const found = entered
    ? byEntry(catalogue).filter(
        (each) =>
          isSelected[each.place] && (since === 0 || each.at >= since) && (!after || isAfter(each, after)),
      )
    : catalogue.filter((_, place) => isSelected[place]);
  const page = found.slice(0, most);
  const releases = page.map((release) =>
    isAged ? answeredRow(rowOf(release), day) : inOrder(rowOf(release)),
  );
  const last = entered && found.length > page.length ? (page.at(-1) as Entered) : undefined;
  return {
    total: found.length,
    releases,
    notes: entered
      ? [...unitNotes(query), ...unknownNotes(query, page)]
      : queryNotes(query, catalogue, day, found),
    ...(last && { next: startOf(last) }),
  };
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
function unknownNotes(query: Query, found: Catalogue): string[] {
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

/**
 * `at`: when a release entered the index, in milliseconds since 1970; -Infinity where that is not recorded. `place`: its place in
 * the catalogue.
 */
type Entered = PlacedRelease & { readonly at: number; readonly place: number };

const sortedCatalogues = new WeakMap<Catalogue, readonly Entered[]>();

/** Oldest first; those of one time by component, then in version order. */
function byEntry(catalogue: Catalogue): readonly Entered[] {
  const known = sortedCatalogues.get(catalogue);
  if (known) return known;
  const nameOf = ({ shared }: Entered) => shared.component as string;
  const sorted = catalogue
    .map((release, place) => ({ ...release, at: instantOf(release), place }))
    // The catalogue is in version order, and the sort is stable.
    .sort((a, b) => a.at - b.at || (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b))));
  sortedCatalogues.set(catalogue, sorted);
  return sorted;
}

function instantOf({ shared, own }: PlacedRelease): number {
  const at = own.availableAt ?? shared.availableAt;
  return at === undefined ? -Infinity : Date.parse(at);
}

function startOf({ at, shared, own }: Entered): PageStart {
  return { at, component: shared.component as string, version: own.version! };
}

function isAfter(release: Entered, { at, component, version }: PageStart): boolean {
  if (release.at !== at) return release.at > at;
  const own = startOf(release);
  if (own.component !== component) return own.component > component;
  return compareVersions(parseVersion(own.version)!, parseVersion(version)!) > 0;
}
