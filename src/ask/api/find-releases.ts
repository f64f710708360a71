import { oldestFirst } from '../../core/dates.ts';
import * as z from 'zod';
import { ages, inOrder, withAges } from '../../core/query/ages.ts';
import {
  candidatesOf,
  createSelection,
  rowOf,
  type Catalogue,
  type PlacedRelease,
} from '../../core/query/catalogue.ts';
import {
  maxQueryLength,
  namedComponent,
  parseQuery,
  termsOf,
  unitNotes,
  type Query,
} from '../../core/query/parse.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import { unknownNotes } from '../search-releases.ts';
import { anInstant, inQuery, jsonAnswer, pageSize, type StatedEndpoint } from './endpoint.ts';
import { parseTime, readStated } from './read-request.ts';
import { cachedJson, currentJson, linePerElement, nextPage, noteHeader } from './respond.ts';

const queryParameter = inQuery('query', maxQueryLength, {
  description: 'Terms such as component:svc isSupported releaseTimestamp:>2026-01-31; all of them must hold.',
  expected: `at most ${maxQueryLength.toLocaleString('en-US')} characters`,
  example: 'component:{component} isLatestOfLine',
});

const sinceParameter = inQuery('since', 40, {
  description: `Only what the index first listed then or later: ${anInstant}. With 0, as without it, what is not recorded yet comes first.`,
  expected: anInstant,
  example: '2026-01-31',
});

const afterParameter = inQuery('after', 1000, {
  description:
    'The start of a page. Take it from the link to that page, together with the other parameters there.',
  expected: 'what a link to the next page holds',
});

export const findReleases: StatedEndpoint = {
  name: 'find-releases',
  path: '/api/releases',
  summary: 'The releases that a query selects, oldest first by the time they entered the index.',
  description:
    'If there are more, the answer links to the next page (rel="next"). An answer that changes from day to day is not cached.',
  parameters: [queryParameter, sinceParameter, pageSize('maxReleases', 'releases'), afterParameter],
  answers: { 200: jsonAnswer('found-releases', 'The releases, as JSON array') },
  example: '/api/releases?query=component:{component}+isLatestOfLine&maxReleases=2',
  async handle({ request, stated, index, settings }) {
    const { query: text = '', maxReleases = '100' } = stated;
    const today = await index.day();
    const query = parseQuery(text, today);
    const since = readStated(sinceParameter, stated, parseTime) ?? 0;
    const after = readStated(afterParameter, stated, decodeStart);
    const catalogue = candidatesOf(await index.catalogue(namedComponent(query)), query);

    // In the order of the catalogue, in which that is fastest.
    const isSelected = catalogue.map(createSelection(query, today));
    const found: Placed[] = [];
    for (const release of byInstant(catalogue)) {
      if (since > 0 && release.at < since) continue;
      if (after && !isAfter(release, after)) continue;
      if (isSelected[release.place]) found.push(release);
      if (found.length > Number(maxReleases)) break;
    }

    const page = found.slice(0, Number(maxReleases));
    const withDay = asksForAges(query);
    const rows = page.map(rowOf).map((row) => inOrder(withDay ? withAges(row, today) : row));
    const last = found.length > page.length ? encodeStart(startOf(page.at(-1)!)) : undefined;
    const headers = {
      ...(last !== undefined && nextPage(request, settings.baseUrl, 'after', last)),
      ...(await noteHeader(index, [...unitNotes(query), ...unknownNotes(query, page)])),
    };
    const isOfDay = withDay || isRelative(query);
    return (isOfDay ? currentJson : cachedJson)(request, linePerElement(rows), headers);
  },
};

function asksForAges(query: Query): boolean {
  return termsOf(query).some(({ fields }) => fields.some(({ name }) => name in ages));
}

/** Whether a query asks for something else on another day. */
function isRelative(query: Query): boolean {
  return termsOf(query).some((term) => 'asks' in term && 'isRelative' in term.asks);
}

/** Identifies a release in this order, also after others were added or removed. */
interface PageStart {
  readonly at: number;
  readonly component: string;
  readonly version: string;
}

/**
 * `at`: when a release entered the index, in milliseconds since 1970; -Infinity where that is not recorded. `place`: its place in the
 * catalogue.
 */
type Placed = PlacedRelease & { readonly at: number; readonly place: number };

const sortedCatalogues = new WeakMap<Catalogue, readonly Placed[]>();

/** Oldest first; those of one time by component, then in version order. */
function byInstant(catalogue: Catalogue): readonly Placed[] {
  const known = sortedCatalogues.get(catalogue);
  if (known) return known;
  const nameOf = ({ shared }: Placed) => shared.component as string;
  const sorted = catalogue
    .map((release, place) => ({ ...release, at: instantOf(release), place }))
    // The catalogue is in version order, and the sort is stable.
    .sort((a, b) => a.at - b.at || oldestFirst(nameOf(a), nameOf(b)));
  sortedCatalogues.set(catalogue, sorted);
  return sorted;
}

function instantOf({ shared, own }: PlacedRelease): number {
  const at = own.availableAt ?? shared.availableAt;
  return at === undefined ? -Infinity : Date.parse(at);
}

function startOf({ at, shared, own }: Placed): PageStart {
  return { at, component: shared.component as string, version: own.version! };
}

function isAfter(release: Placed, { at, component, version }: PageStart): boolean {
  if (release.at !== at) return release.at > at;
  const own = startOf(release);
  if (own.component !== component) return own.component > component;
  return compareVersions(parseVersion(own.version)!, parseVersion(version)!) > 0;
}

/** The opaque parameter in the link to the next page. */
function encodeStart({ at, component, version }: PageStart): string {
  // JSON has no infinite number.
  const text = JSON.stringify([at === -Infinity ? null : at, component, version]);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const EncodedStart = z.tuple([z.number().nullable(), z.string(), z.string()]);

function decodeStart(text: string): PageStart | undefined {
  try {
    const [at, component, version] = EncodedStart.parse(
      JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/'))),
    );
    return parseVersion(version) && { at: at ?? -Infinity, component, version };
  } catch {
    return undefined;
  }
}
