import { oldestFirst, type Day } from '../../core/model/dates.ts';
import { describeUnknownAdvisories } from '../../core/model/words.ts';
import {
  createReleaseSelector,
  findCandidates,
  select,
  type Catalogue,
} from '../../core/query/selection.ts';
import type { Row } from '../../core/query/fields.ts';
import { parseQuery, type Query, type Term } from '../../core/query/parse.ts';
import {
  findNamedComponent,
  listNegatedFlags,
  listTerms,
  listUnitNotes,
} from '../../core/query/query-terms.ts';
import { completeRow, joinRow } from '../../core/query/rows.ts';
import { formatCount, formatNumber } from '../../core/text/wording.ts';
import type { PublishedIndex } from './published-index.ts';
import { createSpanQuery, readSpanQuestion, type SpanQuestion } from './read-span.ts';

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
  const matches = catalogue.filter(createReleaseSelector(query, day));
  const releases = matches
    .slice(0, maxReleases)
    .map((release) => completeRow(joinRow(release), day));
  const notes = listNotes(query, day, catalogue, matches);
  return { total: matches.length, releases, notes };
}

/** Begins a question about days. Later in a text, these words may be terms of a query. */
const daysQuestionStart = /^(?:what )?(?:ends|ended|released)\s/i;

/** Releases by a query, or by a question about days such as `ends within 90 days`. */
export function findReleases(
  index: Index,
  text: string,
  day: Day,
  maxReleases = Infinity,
): Promise<SearchResult> {
  const span = daysQuestionStart.test(text) ? readSpanQuestion(text, day) : undefined;
  if (!span || span.name !== '') {
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

/** Keeps one release of a component for each day of an end, the last of the list. The earliest end is first. */
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

/** Notes on a query and the releases that it selects from a catalogue, with the reason if there are none. */
function listNotes(query: Query, day: Day, catalogue: Catalogue, matches: Catalogue): string[] {
  const notes = [
    ...listUnitNotes(query),
    ...describeUnknownFlags(query, matches),
    ...describeFixes(query, day, catalogue, matches),
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
  return emptyTerms.length === 0
    ? [...notes, 'Each term selects something, and no release has them all.']
    : [...describeEmptyTerms(emptyTerms, catalogue), ...notes];
}

/** Says how many selected releases have an unknown value: a negated flag selects these too. */
export function describeUnknownFlags(query: Query, matches: Catalogue): string[] {
  const notes: string[] = [];
  for (const flag of listNegatedFlags(query)) {
    const name = flag as keyof Row;
    const unknown = matches.filter(({ shared, row }) => (row[name] ?? shared[name]) === undefined);
    const amount = unknown.length === matches.length ? 'all' : formatNumber(unknown.length);
    if (unknown.length > 0) {
      notes.push(`${flag} is unknown for ${amount} of these; ${flag}:* leaves them out.`);
    }
  }
  return notes;
}

/** Names the first release after the last that an advisory of the query affects, of each selected component. */
function describeFixes(query: Query, day: Day, catalogue: Catalogue, matches: Catalogue): string[] {
  const terms = listTerms(query).filter((term) => readAdvisoryId(term) !== undefined);
  if (terms.length === 0) {
    return [];
  }

  const components = new Set(matches.map(({ shared }) => shared.component));
  // Further terms of the query may leave out releases that the advisory affects.
  const affected = select(catalogue, { or: terms }, day).filter(({ shared }) =>
    components.has(shared.component),
  );
  const lastAffected = new Map(affected.map((release) => [release.shared.component, release]));
  return Array.from(lastAffected, ([component, release]) => {
    const { title } = release.shared;
    const following = catalogue[catalogue.indexOf(release) + 1];
    return following && following.shared.component === component
      ? `${title} ${following.row.version} is the first release without it.`
      : `No later release of ${title} is known.`;
  });
}

/** Says for how many components advisories are not known, where a query asks about advisories. */
function describeUnwatched(query: Query, catalogue: Catalogue): string[] {
  if (!listTerms(query).some(isOfAdvisories)) {
    return [];
  }

  const { total, unwatched } = countComponents(catalogue);
  const subject = unwatched === total ? '' : `${unwatched} of ${formatCount(total, 'component')}`;
  return unwatched === 0 ? [] : [describeUnknownAdvisories(subject)];
}

/** The number of components in a catalogue, and of those without watched advisories. */
function countComponents(catalogue: Catalogue) {
  const components = new Set<Row['component']>();
  const unwatched = new Set<Row['component']>();
  for (const { shared, row } of catalogue) {
    components.add(shared.component);
    if ((row.isVulnerable ?? shared.isVulnerable) === undefined) {
      unwatched.add(shared.component);
    }
  }
  return { total: components.size, unwatched: unwatched.size };
}

/** Says why terms select nothing. More than a few sentences would hide the result. */
function describeEmptyTerms(terms: readonly Term[], catalogue: Catalogue): string[] {
  const { total, unwatched } = countComponents(catalogue);
  const reasons = new Set<string>();

  for (const term of terms) {
    const { fields, text = '' } = term;
    const id = readAdvisoryId(term);
    if (id !== undefined) {
      reasons.add(`No source here names ${id}; its vendor or osv.dev may know it.`);
    } else if (fields.length > 1) {
      reasons.add(`No component, title or version contains "${text}".`);
    } else if (unwatched < total || !isOfAdvisories(term)) {
      // Without any source of advisories, no result means nothing.
      reasons.add(`Nothing matches ${text}.`);
    }
  }

  return [...reasons].slice(0, 5);
}

/** Fields that only components with watched advisories have. */
const advisoryFields = new Set(['isVulnerable', 'advisory', 'fixes', 'severity', 'isExploited']);

function isOfAdvisories({ fields }: Term): boolean {
  const [field] = fields;
  return field !== undefined && fields.length === 1 && advisoryFields.has(field.name);
}

/** The id in a term such as `advisory:CVE-2026-1`. */
function readAdvisoryId({ text = '' }: Term): string | undefined {
  return /^advisory:([\w-]+)$/i.exec(text)?.[1];
}
