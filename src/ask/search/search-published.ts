import { oldestFirst, type Day } from '../../core/model/dates.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import { createReleaseSelector, type Catalogue } from '../../core/query/selection.ts';
import type { Query } from '../../core/query/parse.ts';
import { listUnitNotes } from '../../core/query/query-terms.ts';
import {
  completeRow,
  joinRow,
  orderFields,
  readField,
  type SplitRow,
} from '../../core/query/rows.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { findAvailableAt, type Publications } from '../answers/recorded-years.ts';
import { listUnknownFlagNotes } from './search-notes.ts';
import { readTested } from './search-releases.ts';

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
  index: Pick<PublishedIndex, 'catalogue'>,
  query: Query,
  day: Day,
  { maxReleases, hasDistances, publications, since, after }: Page,
) {
  const catalogue = await readTested(index, query);
  const isSelected = createReleaseSelector(query, day);
  const now = Date.now();
  const matches = sortByInstant(catalogue, publications).filter(
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

const sortedCatalogues = new WeakMap<Catalogue, readonly TimedRelease[]>();

/** The releases by instant of publication, oldest first, then by component, then by version. */
function sortByInstant(catalogue: Catalogue, publications: Publications): readonly TimedRelease[] {
  const cached = sortedCatalogues.get(catalogue);
  if (cached) {
    return cached;
  }

  const readName = ({ release }: TimedRelease) => release.lineFields.component as string;
  const sorted = catalogue
    .map((release) => ({ release, at: findInstant(release, publications) }))
    // Releases of a component are in version order, and the sort is stable.
    .sort((a, b) => a.at - b.at || oldestFirst(readName(a), readName(b)));
  sortedCatalogues.set(catalogue, sorted);
  return sorted;
}

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
