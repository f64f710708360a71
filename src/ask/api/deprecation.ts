import { addMonths } from '../../core/dates.ts';
import type { Endpoint } from './endpoint.ts';

/** How long it is said that an endpoint goes away before it does. */
const noticeMonths = 6;

/** What an answer of an endpoint that goes away says of that; none for every other. */
export function deprecationHeaders(
  { path, deprecation }: Endpoint,
  origin: string,
): [name: string, value: string][] {
  if (!deprecation) return [];
  const { since, sunset, successor } = deprecation;
  const earliest = addMonths(since, noticeMonths);
  if (sunset < earliest) throw new Error(`${path} may go away on ${earliest} at the earliest; got ${sunset}`);
  return [
    ['Deprecation', `@${Date.parse(since) / 1000}`],
    ['Sunset', new Date(sunset).toUTCString()],
    ['Link', `<${origin}${successor}>; rel="successor-version"`],
    ['Link', `<${origin}/api.html#endpoints>; rel="deprecation"; type="text/html"`],
  ];
}
