import { oldestFirst, type Day } from '../../../core/model/dates.ts';
import { compareVersions, parseVersion } from '../../../core/model/version.ts';
import { isDistance } from '../../../core/query/distances.ts';
import { parseQuery } from '../../../core/query/parse.ts';
import { listTerms } from '../../../core/query/query-terms.ts';
import { listUnitNotes } from '../../../core/query/query-units.ts';
import { completeRow, readField, type SplitRow } from '../../../core/query/rows.ts';
import { createReleaseSelector, type Catalogue } from '../../../core/query/selection.ts';
import { findAvailableAt, type Publications } from '../../history/run-publications.ts';
import { listUnknownFlagNotes } from '../../search/search-notes.ts';
import { readTested } from '../../search/search-releases.ts';
import { cannotSearch } from './common-parts.ts';
import { createParameter, defineEndpoint, describeJsonAnswer } from './endpoint.ts';
import {
  createPageSize,
  createQueryParameter,
  createSinceParameter,
  cutPage,
  linkNextPage,
} from './list-pages.ts';
import { readPastTime, readValue } from './read-request.ts';
import { createNoteHeader } from './note-header.ts';
import { answerJson, formatElements } from './respond.ts';

const queryParameter = createQueryParameter(
  'Terms such as component:svc isSupported releaseTimestamp:>2026-01-31; all must hold.',
  'component:{component} isLatestOfLine',
);

const sinceParameter = createSinceParameter(
  'Releases first published',
  'releases that are not recorded yet',
  '2026-01-31',
);

const afterParameter = createParameter('query', 'after', 1000, {
  description:
    'The start of a page. Take it from the link to the page, together with the other parameters of the link.',
  expected: 'the value in a link to the next page',
});

export const releasesEndpoint = defineEndpoint({
  name: 'find-releases',
  path: '/api/releases',
  summary: 'The releases of a query, in the order of publication.',
  description:
    'Releases are sorted by availableAt, oldest first. If there are more, the answer links to the next page (rel="next"). The answer is not cached: the states in it are those of the day.',
  parameters: [
    queryParameter,
    sinceParameter,
    createPageSize('maxReleases', 'releases'),
    afterParameter,
  ],
  answers: {
    200: describeJsonAnswer('found-releases', 'The releases, as JSON array'),
    503: cannotSearch,
  },
  example: '/api/releases?query=component:{component}+isLatestOfLine&maxReleases=2',
  async handle({ request, parameters, index, settings }) {
    const { query: text = '', maxReleases } = parameters;
    const today = await index.day();
    const query = parseQuery(text, today);
    const since = readValue(sinceParameter, parameters, readPastTime) ?? 0;
    const after = readValue(afterParameter, parameters, parseStart);

    const catalogue = await readTested(index, query);
    const now = Date.now();
    const sorted = sortOnce(catalogue, await index.publications());
    const published = sorted.filter(({ at }) => at >= since && at <= now);
    const remaining = after ? published.filter((each) => isAfter(each, after)) : published;
    const isSelected = createReleaseSelector(query, today);
    const matches = remaining.filter(({ release }) => isSelected(release));
    const { page, last } = cutPage(matches, maxReleases);

    const releases = page.map(({ release }) => release);
    const notes = [...listUnitNotes(query), ...listUnknownFlagNotes(query, releases)];
    const headers = {
      ...(last && linkNextPage(request, settings.baseUrl, formatStart(last))),
      ...(await createNoteHeader(index, notes)),
    };
    const hasDistances = listTerms(query).some(({ fields }) =>
      fields.some(({ name }) => isDistance(name)),
    );
    const rows = page.map((each) => toRow(each, hasDistances ? today : undefined));
    return answerJson(request, formatElements(rows), headers);
  },
});

/** The last release of the page before. It stays valid when releases are added or removed. */
interface PageStart {
  /** When it was published, in milliseconds since 1970, or `unrecorded`. */
  readonly at: number;
  readonly component: string;
  readonly version: string;
}

interface TimedRelease extends PageStart {
  readonly release: SplitRow;
}

/** The instant of a release that no run has recorded: before all others. */
const unrecorded = 0;

/** The sorted releases of catalogues, which a client reads in many pages. */
const sortedCatalogues = new WeakMap<Catalogue, readonly TimedRelease[]>();

/** The releases by instant of publication, oldest first, then by component, then by version. An index has one list of publications. */
function sortOnce(catalogue: Catalogue, publications: Publications): readonly TimedRelease[] {
  const sorted =
    sortedCatalogues.get(catalogue) ??
    // Releases of a component are in version order, and the sort is stable.
    catalogue.map((release) => addInstant(release, publications)).sort(compareByInstant);
  sortedCatalogues.set(catalogue, sorted);
  return sorted;
}

function addInstant(release: SplitRow, publications: Publications): TimedRelease {
  const recordedAt = readField(release, 'recordedAt');
  return {
    at: recordedAt === undefined ? unrecorded : findAvailableAt(publications, recordedAt),
    component: release.lineFields.component,
    version: release.releaseFields.version,
    release,
  };
}

/** Compares by instant of publication, then by component. */
function compareByInstant(a: PageStart, b: PageStart): number {
  return a.at - b.at || oldestFirst(a.component, b.component);
}

function isAfter(timed: TimedRelease, start: PageStart): boolean {
  const order = compareByInstant(timed, start);
  if (order !== 0) {
    return order > 0;
  }

  // `parseStart` and the index accept only versions that can be parsed.
  return compareVersions(parseVersion(timed.version)!, parseVersion(start.version)!) > 0;
}

/** `day`: if the answer has distances, the day from which they are computed. */
function toRow({ release, at }: TimedRelease, day: Day | undefined): object {
  const fields = completeRow(release, day);
  return at === unrecorded ? fields : { ...fields, availableAt: new Date(at).toISOString() };
}

/** The parameter `after` in the link to the next page: `1783600000000/svc/2025.1`. */
function formatStart({ at, component, version }: PageStart): string {
  return [at, component, version].join('/');
}

function parseStart(text: string): PageStart | undefined {
  const [, at, component = '', version = ''] = /^(\d+)\/([^/]+)\/(.+)$/.exec(text) ?? [];
  return parseVersion(version) && { at: Number(at), component, version };
}
