import { oldestFirst, type Day } from '../../core/model/dates.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import { describeUnknownAdvisories } from '../../core/model/words.ts';
import {
  createSelection,
  findCandidates,
  select,
  type Catalogue,
} from '../../core/query/catalogue.ts';
import type { Row } from '../../core/query/fields.ts';
import { parseQuery, type Query } from '../../core/query/parse.ts';
import {
  findNamedComponent,
  listNegatedFlags,
  listTerms,
  listUnitNotes,
} from '../../core/query/query-terms.ts';
import { completeRow, joinRow, orderFields, type SplitRow } from '../../core/query/rows.ts';
import { formatCount, formatNumber } from '../../core/text/wording.ts';
import { readSpanQuestion, createSpanQuery, type SpanQuestion } from './phrases.ts';
import type { PublishedIndex } from './published-index.ts';
import { findAvailableAt, type Publications } from './recorded-years.ts';

type Index = Pick<PublishedIndex, 'catalogue'>;

/** The releases that a query selects. */
export interface SearchResult {
  readonly total: number;
  /** The first releases, up to the requested number. */
  readonly releases: readonly Row[];
  /** Sentences about the result, such as which term selects nothing. */
  readonly notes: readonly string[];
}

/** A position in the order of publication that stays valid when releases are added or removed. */
export interface PageStart {
  readonly at: number;
  readonly component: string;
  readonly version: string;
}

interface Page {
  readonly maxReleases: number;
  /** Whether rows include fields that depend on today. */
  readonly isAged: boolean;
  readonly publications: Publications;
  /** Earliest instant of publication, in milliseconds since 1970; 0 for all releases. */
  readonly since: number;
  /** The end of the page before. */
  readonly after?: PageStart | undefined;
}

/**
 * The releases that a query selects, sorted by component, then by version. A query that names one component reads only that
 * component. Throws a `QuestionError`.
 */
export async function searchReleases(
  index: Index,
  text: string,
  day: Day,
  maxReleases = Infinity,
): Promise<SearchResult> {
  const query = parseQuery(text, day);
  const catalogue = findCandidates(await index.catalogue(findNamedComponent(query)), query);
  const matches = catalogue.filter(createSelection(query, day));
  const releases = matches
    .slice(0, maxReleases)
    .map((release) => completeRow(joinRow(release), day));
  const notes = describeQuery(query, catalogue, day, matches);
  return { total: matches.length, releases, notes };
}

/**
 * The releases that a query selects, in the order of publication, and the start of the next page. Throws a `QuestionError`.
 */
export async function searchPublished(
  index: Index,
  query: Query,
  day: Day,
  { maxReleases, isAged, ...range }: Page,
) {
  const catalogue = findCandidates(await index.catalogue(findNamedComponent(query)), query);

  // Fastest in the order of the catalogue.
  const isSelected = catalogue.map(createSelection(query, day));
  const matches = selectPublished(catalogue, range).filter(({ position }) => isSelected[position]);
  const page = matches.slice(0, maxReleases);
  const last = matches.length > page.length ? page.at(-1) : undefined;

  return {
    releases: page.map((release) => {
      const row = isAged ? completeRow(joinRow(release), day) : orderFields(joinRow(release));
      return release.at === -Infinity
        ? row
        : { ...row, availableAt: new Date(release.at).toISOString() };
    }),
    notes: [...listUnitNotes(query), ...describeUnknownFlags(query, page)],
    next: last && describeStart(last),
  };
}

/** The latest version of each component that has one, as of today. Throws a `QuestionError`. */
export async function listLatestVersions(index: Index): Promise<ReadonlyMap<string, string>> {
  const rows = (await index.catalogue()).filter(({ row }) => row.isLatest);
  return new Map(rows.map(({ shared, row }) => [shared.component as string, row.version]));
}

/** The releases of some days. Of lines of a component that end on the same day, only the last; earliest end first. */
export async function searchSpan(
  index: Index,
  span: SpanQuestion,
  day: Day,
  maxReleases = Infinity,
): Promise<SearchResult> {
  const query = createSpanQuery(span);
  if (span.field === 'releaseTimestamp') {
    const result = await searchReleases(index, query, day, maxReleases);
    return result.total > 0 ? result : { ...result, notes: [describeEmpty(span)] };
  }

  const { releases, notes } = await searchReleases(index, query, day);
  const byEnd = new Map(
    releases.map((release) => [`${release.component} ${release.supportedUntil}`, release]),
  );
  const ends = [...byEnd.values()].sort((a, b) =>
    oldestFirst(a.supportedUntil ?? '', b.supportedUntil ?? ''),
  );
  const lines = new Set(releases.map(({ component, line }) => `${component} ${line}`)).size;
  const rowNote = `${formatCount(lines, 'line')}, one row for each component and day.`;
  const spanNotes = ends.length < releases.length ? [rowNote, ...notes] : notes;

  return {
    total: ends.length,
    releases: ends.slice(0, maxReleases),
    notes: ends.length > 0 ? spanNotes : [describeEmpty(span)],
  };
}

function describeEmpty({ field, from, to, name }: SpanQuestion): string {
  const days = from === to ? `on ${from}` : `from ${from} to ${to}`;
  const verb = field === 'releaseTimestamp' ? 'is known to be released' : 'ends';
  return `Nothing${name === '' ? '' : ` of ${name}`} ${verb} ${days}.`;
}

/** Releases by a query, or by a question about days such as `ends within 90 days`. */
export function findReleases(
  index: Index,
  text: string,
  day: Day,
  maxReleases = Infinity,
): Promise<SearchResult> {
  const isOfDays = /^(?:what )?(?:ends|ended|released)\s/.test(text);
  const span = isOfDays ? readSpanQuestion(text, day) : undefined;
  if (span?.name !== '') {
    return searchReleases(index, text, day, maxReleases);
  }

  return searchSpan(index, span, day, maxReleases);
}

/** Fields that only components with watched advisories have. */
const advisoryFields = new Set(['isVulnerable', 'advisory', 'fixes', 'severity', 'isExploited']);

/** Notes on units, on releases for which a negated flag is unknown, and on terms that select nothing. */
function describeQuery(query: Query, catalogue: Catalogue, day: Day, matches: Catalogue): string[] {
  const notes = [
    ...listUnitNotes(query),
    ...describeUnknownFlags(query, matches),
    ...describeFixes(query, catalogue, matches),
    ...describeUnwatched(query, catalogue),
  ];
  const terms = 'and' in query ? query.and : [query];
  if (matches.length > 0 || terms.length === 0) {
    return notes;
  }

  const emptyTerms = terms
    .filter((term) => select(catalogue, term, day).length === 0)
    .flatMap(listTerms)
    .filter(({ text = '' }) => text !== '');
  if (emptyTerms.length === 0) {
    return [...notes, 'Each term selects something, and no release has them all.'];
  }

  // Without a source of advisories, a term about advisories selects nothing, which explains nothing.
  const isUnwatched = notes.includes(describeUnknownAdvisories());
  const reasons = emptyTerms
    .filter((term) => !isUnwatched || !isOfAdvisories(term) || readAdvisory(term) !== undefined)
    .slice(0, 5)
    .map(describeEmptyTerm);
  return [...new Set(reasons), ...notes];
}

function describeEmptyTerm(term: Term): string {
  const { fields, text = '' } = term;
  const id = readAdvisory(term);
  if (id !== undefined) {
    return `No source here names ${id}; its vendor or osv.dev may know it.`;
  }

  return fields.length > 1
    ? `No component, title or version contains "${text}".`
    : `Nothing matches ${text}.`;
}

type Term = ReturnType<typeof listTerms>[number];

function isOfAdvisories({ fields }: Term): boolean {
  const [field] = fields;
  return field !== undefined && fields.length === 1 && advisoryFields.has(field.name);
}

/** The id in a term such as `advisory:CVE-2026-1`. */
function readAdvisory({ text = '' }: Term): string | undefined {
  return /^advisory:([\w-]+)$/i.exec(text)?.[1];
}

/** Names the first release of each component that the advisory of a query no longer affects. */
function describeFixes(query: Query, catalogue: Catalogue, matches: Catalogue): string[] {
  if (listTerms(query).every((term) => readAdvisory(term) === undefined)) {
    return [];
  }

  const lastMatches = new Map(matches.map((release) => [release.shared.component, release]));
  return Array.from(lastMatches, ([component, release]) => {
    const next = catalogue[catalogue.indexOf(release) + 1];
    const name = `${release.shared.title} ${next?.row.version}`;
    return next?.shared.component === component
      ? `${name} is the first release without it.`
      : `No later release of ${release.shared.title} is known.`;
  });
}

/** Says for how many components advisories are not known, where a query asks about advisories. */
function describeUnwatched(query: Query, catalogue: Catalogue): string[] {
  if (!listTerms(query).some(isOfAdvisories)) {
    return [];
  }

  const readName = ({ shared }: Catalogue[number]) => shared.component;
  const total = new Set(catalogue.map(readName)).size;
  const isUnknown = (release: Catalogue[number]) => joinRow(release).isVulnerable === undefined;
  const unknown = new Set(catalogue.filter(isUnknown).map(readName)).size;
  if (unknown === 0) {
    return [];
  }

  return [
    unknown === total
      ? describeUnknownAdvisories()
      : describeUnknownAdvisories(`${unknown} of ${formatCount(total, 'component')}`),
  ];
}

/** Says how many selected releases have an unknown value: a negated flag selects these too. */
function describeUnknownFlags(query: Query, matches: Catalogue): string[] {
  const notes: string[] = [];

  for (const name of listNegatedFlags(query)) {
    const isUnknown = ({ shared, row }: Catalogue[number]) =>
      (row[name as keyof Row] ?? shared[name as keyof Row]) === undefined;
    const count = matches.filter(isUnknown).length;
    const amount = count === matches.length ? 'all' : formatNumber(count);
    if (count > 0) {
      notes.push(`${name} is unknown for ${amount} of these; ${name}:* leaves them out.`);
    }
  }

  return notes;
}

/** The number of found releases and the notes, as sentences. */
export function describeResults(releases: readonly Row[], notes: readonly string[]): string {
  if (releases.length === 0) {
    return ['No release matches.', ...notes].join(' ');
  }

  const components = new Set(releases.map(({ component }) => component)).size;
  return [
    `${formatCount(releases.length, 'release')} of ${formatCount(components, 'component')}.`,
    ...notes,
  ].join(' ');
}

/** The releases published from `since` until now, behind the end of the last page. */
function selectPublished(
  catalogue: Catalogue,
  { publications, since, after }: Pick<Page, 'publications' | 'since' | 'after'>,
): readonly TimedRow[] {
  const now = Date.now();
  return sortByInstant(catalogue, publications).filter((release) => {
    const isWanted = (since === 0 || release.at >= since) && release.at <= now;
    return isWanted && (!after || isAfter(release, after));
  });
}

/** `at`: when a release was published, in milliseconds since 1970; -Infinity if not recorded. */
type TimedRow = SplitRow & { readonly at: number; readonly position: number };

const sortedCatalogues = new WeakMap<Catalogue, readonly TimedRow[]>();

/** Sorts by instant of publication, oldest first, then by component, then by version. */
function sortByInstant(catalogue: Catalogue, publications: Publications): readonly TimedRow[] {
  const cached = sortedCatalogues.get(catalogue);
  if (cached) {
    return cached;
  }

  const readName = ({ shared }: TimedRow) => shared.component as string;
  const sorted = catalogue
    .map((release, position) => ({
      ...release,
      at: findInstant(release, publications),
      position,
    }))
    // The catalogue is in version order, and the sort is stable.
    .sort((a, b) => a.at - b.at || oldestFirst(readName(a), readName(b)));
  sortedCatalogues.set(catalogue, sorted);
  return sorted;
}

function readInstant({ shared, row }: SplitRow): string | undefined {
  return row.recordedAt ?? shared.recordedAt;
}

function findInstant(release: SplitRow, publications: Publications): number {
  const at = readInstant(release);
  return at === undefined ? -Infinity : findAvailableAt(publications, at);
}

function describeStart({ at, shared, row }: TimedRow): PageStart {
  return { at, component: shared.component as string, version: row.version };
}

function isAfter(release: TimedRow, { at, component, version }: PageStart): boolean {
  if (release.at !== at) {
    return release.at > at;
  }

  const start = describeStart(release);
  if (start.component !== component) {
    return start.component > component;
  }

  const current = parseVersion(start.version);
  const last = parseVersion(version);
  return current !== undefined && last !== undefined && compareVersions(current, last) > 0;
}
