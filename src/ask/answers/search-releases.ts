import { oldestFirst, type Day } from '../../core/model/dates.ts';
import { createSelection, findCandidates } from '../../core/query/catalogue.ts';
import type { Row } from '../../core/query/fields.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { findNamedComponent } from '../../core/query/query-terms.ts';
import { completeRow, joinRow } from '../../core/query/rows.ts';
import { formatCount } from '../../core/text/wording.ts';
import { readSpanQuestion, createSpanQuery, type SpanQuestion } from './read-span.ts';
import type { PublishedIndex } from './published-index.ts';
import { describeQuery } from './query-notes.ts';

type Index = Pick<PublishedIndex, 'catalogue'>;

/** The releases that a query selects. */
export interface SearchResult {
  readonly total: number;
  /** The first releases, up to the requested number. */
  readonly releases: readonly Row[];
  /** Sentences about the result, such as which term selects nothing. */
  readonly notes: readonly string[];
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
  const notes = describeQuery(query, day, catalogue, matches);
  return { total: matches.length, releases, notes };
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

/** The releases of a span of days, or one row for each component and day on which support ends. */
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
  const ends = listEnds(releases);
  if (ends.length === 0) {
    return { total: 0, releases: [], notes: [describeEmpty(span)] };
  }

  const lines = new Set(releases.map(({ component, line }) => `${component} ${line}`)).size;
  const rowNote = `${formatCount(lines, 'line')}, one row for each component and day.`;
  return {
    total: ends.length,
    releases: ends.slice(0, maxReleases),
    notes: ends.length < releases.length ? [rowNote, ...notes] : notes,
  };
}

/** The last of the releases of each component whose support ends on the same day, earliest end first. */
function listEnds(releases: readonly Row[]): Row[] {
  const byEnd = new Map(
    releases.map((release) => [`${release.component} ${release.supportedUntil}`, release]),
  );
  return [...byEnd.values()].sort((a, b) =>
    oldestFirst(a.supportedUntil ?? '', b.supportedUntil ?? ''),
  );
}

function describeEmpty({ field, from, to, name }: SpanQuestion): string {
  const days = from === to ? `on ${from}` : `from ${from} to ${to}`;
  const verb = field === 'releaseTimestamp' ? 'is known to be released' : 'ends';
  return `Nothing${name === '' ? '' : ` of ${name}`} ${verb} ${days}.`;
}

/** The latest version of each component that has one, as of today. Throws a `QuestionError`. */
export async function listLatestVersions(index: Index): Promise<ReadonlyMap<string, string>> {
  const rows = (await index.catalogue()).filter(({ row }) => row.isLatest);
  return new Map(rows.map(({ shared, row }) => [shared.component as string, row.version]));
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
