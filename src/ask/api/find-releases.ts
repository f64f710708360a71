import { arrivalsOf, isAfter, placeOf, type Arrival, type ArrivalPlace } from '../arrivals.ts';
import { addDays, toDay, toTimestamp } from '../../core/dates.ts';
import { ages, inOrder, withAges } from '../../core/query/ages.ts';
import { createSelection, rowOf } from '../../core/query/catalogue.ts';
import { namedComponent, parseQuery, type Query } from '../../core/query/parse.ts';
import type { Question } from './api.ts';
import { readMoment } from './moment.ts';
import { decodePlace, encodePlace } from './page-place.ts';
import { readStated } from './read-parameters.ts';
import { cachedJson, currentJson } from './respond.ts';
import { parameters } from './parameters.ts';

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
