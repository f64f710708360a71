import * as z from 'zod';
import { addDays } from '../../core/dates.ts';
import { ages, inOrder, withAges } from '../../core/query/ages.ts';
import {
  candidatesOf,
  createSelection,
  rowOf,
  type Catalogue,
  type PlacedRelease,
} from '../../core/query/catalogue.ts';
import { namedComponent, parseQuery, unitNotes, type Query } from '../../core/query/parse.ts';
import type { Question } from './endpoint.ts';
import { parseTime, readStated } from './read-parameters.ts';
import { cachedJson, currentJson, nextPage, noteHeader } from './respond.ts';
import { parameters } from './parameters.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';

/** `GET /api/releases`. */
export async function answerReleases({ request, stated, index, settings }: Question): Promise<Response> {
  const { query: text = '', maxReleases = '100' } = stated;
  const today = await index.day();
  const query = parseQuery(text, today);
  const since = readStated(parameters.since, stated, parseTime);
  const after = readStated(parameters.after, stated, decodeStart);
  const catalogue = candidatesOf(await index.catalogue(namedComponent(query)), query);

  // In the order of the catalogue, in which that is fastest.
  const isSelected = catalogue.map(createSelection(query, today));
  const found: AvailableRelease[] = [];
  for (const release of byInstant(catalogue)) {
    if (since !== undefined && since > 0 && release.at < since) continue;
    if (after && !isAfter(release, after)) continue;
    if (isSelected[release.place]) found.push(release);
    if (found.length > Number(maxReleases)) break;
  }

  const page = found.slice(0, Number(maxReleases));
  const withDay = asksForAges(query);
  const rows = page.map(rowOf).map((row) => JSON.stringify(inOrder(withDay ? withAges(row, today) : row)));
  const body = rows.length === 0 ? '[]\n' : `[\n${rows.join(',\n')}\n]\n`;
  const headers =
    found.length > page.length
      ? nextPage(request, settings.baseUrl, 'after', encodeStart(startOf(page.at(-1)!)))
      : {};
  const isOfDay = withDay || isRelative(text, query, today);
  const noted = { ...headers, ...(await noteHeader(index, unitNotes(query))) };
  return isOfDay ? currentJson(request, body, noted) : cachedJson(request, body, noted);
}

function asksForAges(query: Query): boolean {
  if ('asks' in query) return query.fields.some(({ name }) => name in ages);
  return Object.values(query).flat().some(asksForAges);
}

/** Whether a query would ask for something else on another day. */
function isRelative(text: string, query: Query, today: string): boolean {
  // Of a version, a group of digits may be a big integer.
  const plain = (value: Query) =>
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return plain(query) !== plain(parseQuery(text, addDays(today, 1)));
}

/** A release with the time at which it entered the index. */
interface AvailableRelease extends PlacedRelease {
  /** `availableAt` in milliseconds since 1970; -Infinity where it is not recorded. */
  readonly at: number;
  /** In the catalogue. */
  readonly place: number;
}

/** Identifies a release in this order, also after others were added or removed. */
interface PageStart {
  readonly at: number;
  readonly component: string;
  readonly version: string;
}

const sortedCatalogues = new WeakMap<Catalogue, readonly AvailableRelease[]>();

/** Oldest first; those of one time by component, then in version order. */
function byInstant(catalogue: Catalogue): readonly AvailableRelease[] {
  const known = sortedCatalogues.get(catalogue);
  if (known) return known;
  const nameOf = ({ shared }: AvailableRelease) => shared.component as string;
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

function startOf({ at, shared, own }: AvailableRelease): PageStart {
  return { at, component: shared.component as string, version: own.version! };
}

function isAfter(release: AvailableRelease, { at, component, version }: PageStart): boolean {
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
