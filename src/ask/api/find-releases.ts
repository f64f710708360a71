import { addDays, toDay, toTimestamp } from '../../core/dates.ts';
import { ages, inOrder, withAges } from '../../core/query/ages.ts';
import { type Catalogue, createSelection, type PlacedRelease, rowOf } from '../../core/query/catalogue.ts';
import { namedComponent, parseQuery, type Query } from '../../core/query/parse.ts';
import type { Question } from './router.ts';
import { readMoment, readStated } from './read-parameters.ts';
import { cachedJson, currentJson } from './respond.ts';
import { parameters } from './parameters.ts';
import { instantOf, versionOf } from '../../core/query/values.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';

/** `GET /api/releases`. */
export async function answerReleases({ request, stated, index }: Question): Promise<Response> {
  const { query: text = '', maxReleases = '100' } = stated;
  const today = toDay(new Date());
  const query = parseQuery(text, today);
  const since = readStated(parameters.since, stated, readMoment);
  const after = readStated(parameters.after, stated, decodePlace);
  const catalogue = await index.catalogue(namedComponent(query));

  const isSelected = createSelection(query, today);
  const found: Arrival[] = [];
  for (const arrival of arrivalsOf(catalogue)) {
    if (since !== undefined && since > 0 && arrival.at < since) continue;
    if (after && !isAfter(arrival, after)) continue;
    if (isSelected(arrival)) found.push(arrival);
    if (found.length > Number(maxReleases)) break;
  }

  const page = found.slice(0, Number(maxReleases));
  const withDay = asksForAges(query);
  const rows = page.map((arrival) => JSON.stringify(rowOfArrival(arrival, withDay ? today : undefined)));
  const body = rows.length === 0 ? '[]\n' : `[\n${rows.join(',\n')}\n]\n`;
  const headers = found.length > page.length ? nextPage(request, placeOf(page.at(-1)!)) : {};
  const isOfDay = withDay || isRelative(text, query, today);
  return isOfDay ? currentJson(request, body, headers) : cachedJson(request, body, headers);
}

function rowOfArrival(arrival: Arrival, day: string | undefined): object {
  const { at } = arrival;
  const row = rowOf(arrival);
  const answered = inOrder(day === undefined ? row : withAges(row, day));
  return at === -Infinity ? answered : { ...answered, availableAt: toTimestamp(toDay(new Date(at))) };
}

function nextPage({ url }: Request, place: ArrivalPlace): { Link: string } {
  const next = new URL(url);
  next.searchParams.set('after', encodePlace(place));
  return { Link: `<${next.href}>; rel="next"` };
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

/** A release as it entered the index. */
export interface Arrival extends PlacedRelease {
  /** In milliseconds since 1970: the day on which it was first seen, else the day it was released on; -Infinity where neither is known. */
  readonly at: number;
}

/** Where an arrival stands among the others, which stays the same where some are added or taken away. */
export interface ArrivalPlace {
  readonly at: number;
  readonly component: string;
  readonly version: string;
}

const known = new WeakMap<Catalogue, readonly Arrival[]>();

/** Oldest first, those of one time by component, then in version order. */
export function arrivalsOf(catalogue: Catalogue): readonly Arrival[] {
  const sorted = known.get(catalogue) ?? sortArrivals(catalogue);
  known.set(catalogue, sorted);
  return sorted;
}

export function placeOf({ at, shared, own }: Arrival): ArrivalPlace {
  return { at, component: shared.component as string, version: own.version! };
}

/** Whether an arrival comes after a place. */
export function isAfter(arrival: Arrival, { at, component, version }: ArrivalPlace): boolean {
  if (arrival.at !== at) return arrival.at > at;
  const own = placeOf(arrival);
  if (own.component !== component) return own.component > component;
  return compareVersions(versionOf(own.version)!, versionOf(version)!) > 0;
}

function sortArrivals(catalogue: Catalogue): Arrival[] {
  const nameOf = ({ shared }: Arrival) => shared.component as string;
  return (
    catalogue
      .map((release) => ({ ...release, at: arrivedAt(release) }))
      .sort((a, b) => {
        if (a.at !== b.at) return a.at - b.at;
        // In version order they are already.
        return nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b));
      })
      // They are gone through in this order: copies that lie so in memory save a third of the time.
      .map((arrival) => ({ ...arrival }))
  );
}

function arrivedAt({ shared, own }: PlacedRelease): number {
  const { firstSeen = shared.firstSeen, releaseTimestamp = shared.releaseTimestamp } = own;
  const day = (firstSeen ?? releaseTimestamp)?.slice(0, 10);
  return day === undefined ? -Infinity : instantOf(day);
}

/** A place as it stands in the link to the next page. */
export function encodePlace({ at, component, version }: ArrivalPlace): string {
  // No number of JSON stands for an unknown time.
  const text = JSON.stringify([at === -Infinity ? null : at, component, version]);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined for what is no such place. */
export function decodePlace(text: string): ArrivalPlace | undefined {
  try {
    const [at, component, version, ...more] = JSON.parse(
      atob(text.replaceAll('-', '+').replaceAll('_', '/')),
    ) as unknown[];
    const isPlace =
      (at === null || typeof at === 'number') &&
      typeof component === 'string' &&
      typeof version === 'string' &&
      parseVersion(version) !== undefined &&
      more.length === 0;
    return isPlace ? { at: at ?? -Infinity, component, version } : undefined;
  } catch {
    return undefined;
  }
}
