import { oldestFirst, type Day } from '../../core/model/dates.ts';
import type { Row } from '../../core/query/fields.ts';
import { parseQuery, type Query } from '../../core/query/parse.ts';
import { describeExcess } from '../../core/query/query-cost.ts';
import { findNamedComponent } from '../../core/query/query-terms.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { completeRow } from '../../core/query/rows.ts';
import { createReleaseSelector, type Catalogue } from '../../core/query/selection.ts';
import { formatCount } from '../../core/text/wording.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { createSpanQuery, readSpanQuestion, type SpanQuestion } from '../answers/read-span.ts';
import { listNotes } from './search-notes.ts';

type Index = Pick<PublishedIndex, 'catalogue'>;

/** The releases that a query selects; in an answer about ends of support, the last one of each component and day. */
export interface SearchResult {
  /** The number of releases that an answer without a limit would have. */
  readonly total: number;
  /** The first of them, up to the requested number. */
  readonly releases: readonly Row[];
  /** Sentences about the result, such as which term selects nothing. */
  readonly notes: readonly string[];
}

/**
 * The releases that a query has to test: those of the component that it names, or else all. Throws a `QuestionError` where there are
 * too many.
 */
export async function readTested(index: Index, query: Query): Promise<Catalogue> {
  const catalogue = await index.catalogue(findNamedComponent(query));
  const excess = describeExcess(query, catalogue.length, 'releases');
  if (excess !== undefined) {
    throw new QuestionError('too-much', excess);
  }

  return catalogue;
}

/** The releases that a query selects, sorted by component, then by version. Throws a `QuestionError`. */
export async function searchByQuery(
  index: Index,
  text: string,
  day: Day,
  maxReleases = Infinity,
): Promise<SearchResult> {
  const query = parseQuery(text, day);
  const catalogue = await readTested(index, query);
  const matches = catalogue.filter(createReleaseSelector(query, day));
  const releases = matches.slice(0, maxReleases).map((release) => completeRow(release, day));
  const notes = listNotes(query, day, catalogue, matches);
  return { total: matches.length, releases, notes };
}

/** How a question about days begins in place of a query. Other words, and these elsewhere in a text, are terms of a query. */
const daysQuestionStart = /^(?:what )?(?:ends|ended|released)\s/i;

/** Releases by a query, or by a question about days of all components, such as `ends within 90 days`. */
export function searchByQueryOrDays(
  index: Index,
  text: string,
  day: Day,
  maxReleases = Infinity,
): Promise<SearchResult> {
  const span = daysQuestionStart.test(text) ? readSpanQuestion(text, day) : undefined;
  return span?.names.length === 0
    ? searchDays(index, span, day, maxReleases)
    : searchByQuery(index, text, day, maxReleases);
}

/** The releases of a span of days, or one for each component and day on which support ends. */
export async function searchDays(
  index: Index,
  span: SpanQuestion,
  day: Day,
  maxReleases = Infinity,
): Promise<SearchResult> {
  const query = createSpanQuery(span);
  if (span.field === 'releaseTimestamp') {
    const result = await searchByQuery(index, query, day, maxReleases);
    return result.total > 0 ? result : { ...result, notes: [describeNoDays(span)] };
  }

  const { releases, notes } = await searchByQuery(index, query, day);
  const ends = pickLastOfEnds(releases);
  if (ends.length === 0) {
    return { total: 0, releases: [], notes: [describeNoDays(span)] };
  }

  const lines = new Set(releases.map(({ component, line }) => `${component} ${line}`)).size;
  const rowNote = `${formatCount(lines, 'line')}, one row for each component and day.`;
  const ownNotes = [
    ...(span.isTooEarly ? ['None of these has ended yet.'] : []),
    ...(ends.length < releases.length ? [rowNote] : []),
  ];
  return {
    total: ends.length,
    releases: ends.slice(0, maxReleases),
    notes: [...ownNotes, ...notes],
  };
}

/** The last release of each component and day of an end, by day. */
function pickLastOfEnds(releases: readonly Row[]): Row[] {
  const byEnd = new Map(
    releases.map((release) => [`${release.component} ${release.supportedUntil}`, release]),
  );
  return [...byEnd.values()].sort((a, b) =>
    oldestFirst(a.supportedUntil ?? '', b.supportedUntil ?? ''),
  );
}

function describeNoDays({ field, from, to, component }: SpanQuestion): string {
  const days = from === to ? `on ${from}` : `from ${from} to ${to}`;
  const verb = field === 'releaseTimestamp' ? 'is known to be released' : 'ends';
  return `Nothing${component === undefined ? '' : ` of ${component}`} ${verb} ${days}.`;
}

/** The number of selected releases and the notes, as sentences. */
export function describeResults({ total, releases, notes }: SearchResult): string {
  if (total === 0) {
    return ['No release matches.', ...notes].join(' ');
  }

  const components = new Set(releases.map(({ component }) => component)).size;
  const share = total > releases.length ? '' : ` of ${formatCount(components, 'component')}`;
  return [`${formatCount(total, 'release')}${share}.`, ...notes].join(' ');
}
