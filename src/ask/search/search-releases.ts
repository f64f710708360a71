import { oldestFirst, type Day } from '../../core/model/dates.ts';
import { keepByObject } from '../../core/model/objects.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import type { Row } from '../../core/query/fields.ts';
import { parseQuery, type Query } from '../../core/query/parse.ts';
import { describeExcess, findNamedComponent, listUnitNotes } from '../../core/query/query-terms.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import {
  completeRow,
  joinRow,
  orderFields,
  readField,
  type SplitRow,
} from '../../core/query/rows.ts';
import { createReleaseSelector, type Catalogue } from '../../core/query/selection.ts';
import { formatCount } from '../../core/text/wording.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { createSpanQuery, readSpanQuestion, type SpanQuestion } from '../answers/read-span.ts';
import { findAvailableAt, type Publications } from '../answers/recorded-years.ts';
import { listNotes, listUnknownFlagNotes } from './search-notes.ts';

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
async function readTested(index: Index, query: Query): Promise<Catalogue> {
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
  const releases = matches
    .slice(0, maxReleases)
    .map((release) => completeRow(joinRow(release), day));
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
  if (!span || span.names.length > 0) {
    return searchByQuery(index, text, day, maxReleases);
  }

  return searchDays(index, span, day, maxReleases);
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

/** The last release of the page before. It stays valid when releases are added or removed. */
export interface PageStart {
  /** When it was published, in milliseconds since 1970; 0 if not recorded. */
  readonly at: number;
  readonly component: string;
  readonly version: string;
}

interface Page {
  readonly maxReleases: number;
  /** Whether rows include fields that depend on today. */
  readonly hasDistances: boolean;
  readonly publications: Publications;
  /** Earliest instant of publication, in milliseconds since 1970; 0 for all releases. */
  readonly since: number;
  readonly after?: PageStart | undefined;
}

/** The releases that a query selects, in the order of publication, and the start of the next page. Throws a `QuestionError`. */
export async function searchPublished(
  index: Index,
  query: Query,
  day: Day,
  { maxReleases, hasDistances, publications, since, after }: Page,
) {
  const catalogue = await readTested(index, query);
  const isSelected = createReleaseSelector(query, day);
  const now = Date.now();
  const matches = openSorter(publications)(catalogue).filter(
    (timed) =>
      timed.at >= since &&
      timed.at <= now &&
      (!after || isAfter(timed, after)) &&
      isSelected(timed.release),
  );

  const page = matches.slice(0, maxReleases);
  const last = matches.length > page.length ? page.at(-1) : undefined;
  const releases = page.map(({ release, at }) => {
    const row = hasDistances ? completeRow(joinRow(release), day) : orderFields(joinRow(release));
    return at === unrecorded ? row : { ...row, availableAt: new Date(at).toISOString() };
  });
  const flagNotes = listUnknownFlagNotes(
    query,
    page.map(({ release }) => release),
  );
  return {
    releases,
    notes: [...listUnitNotes(query), ...flagNotes],
    next: last && describeStart(last),
  };
}

/** The instant of a release that no run has recorded: before all others. */
const unrecorded = 0;

interface TimedRelease {
  readonly release: SplitRow;
  /** When it was published, in milliseconds since 1970, or `unrecorded`. */
  readonly at: number;
}

/** Returns a function that sorts releases by instant of publication, oldest first, then by component, then by version. Both keep results. */
const openSorter = /* @__PURE__ */ keepByObject((publications: Publications) =>
  keepByObject((catalogue: Catalogue): readonly TimedRelease[] => {
    const readName = ({ release }: TimedRelease) => release.lineFields.component as string;
    return (
      catalogue
        .map((release) => ({ release, at: findInstant(release, publications) }))
        // Releases of a component are in version order, and the sort is stable.
        .sort((a, b) => a.at - b.at || oldestFirst(readName(a), readName(b)))
    );
  }),
);

function findInstant(release: SplitRow, publications: Publications): number {
  const recordedAt = readField(release, 'recordedAt');
  return recordedAt === undefined ? unrecorded : findAvailableAt(publications, recordedAt);
}

function describeStart({ release, at }: TimedRelease): PageStart {
  const { lineFields, releaseFields } = release;
  return { at, component: lineFields.component as string, version: releaseFields.version };
}

function isAfter(timed: TimedRelease, start: PageStart): boolean {
  const { at, component, version } = describeStart(timed);
  if (at !== start.at) {
    return at > start.at;
  }
  if (component !== start.component) {
    return component > start.component;
  }

  const current = parseVersion(version);
  const last = parseVersion(start.version);
  return current !== undefined && last !== undefined && compareVersions(current, last) > 0;
}
