import { writeCalendar } from '../../core/calendar.ts';
import { UnknownNameError } from '../resolve.ts';
import { namedVersions } from '../ask.ts';
import { eventsOf, judgeVersions, mostVersions, type MyVersion } from '../my-versions.ts';
import type { PublishedIndex } from '../published-index.ts';
import { sha256Hex } from '../sha256.ts';
import { inQuery, problemAnswer, type StatedEndpoint } from './endpoint.ts';
import { respond } from './respond.ts';

const list = inQuery('c', 10_000, {
  isRequired: true,
  isList: true,
  description: 'The components and versions in use.',
  expected: 'components with versions, such as svc@2025.1',
  example: '{component}@{version}',
});

const unknown = problemAnswer('No component has one of these names.');
const mostEntries = 100;

/** A calendar and a feed of a list of versions, to subscribe to. The page My versions has their addresses. */
export const mineEndpoints: readonly StatedEndpoint[] = [
  {
    name: 'calendar-of-versions',
    path: '/calendars/mine.ics',
    summary: 'Ends of support of listed versions, as a calendar.',
    description: `At most ${mostVersions} versions. An event names what to move to and has an alarm 30 days before.`,
    parameters: [list],
    answers: {
      200: { description: 'The calendar', mediaType: 'text/calendar' },
      404: unknown,
    },
    example: '/calendars/mine.ics?c={component}@{version}',
    async handle({ request, stated, index, settings }) {
      const { judged } = await judgeVersions(index, await versionsOf(index, stated['c']!));
      const source = `${settings.baseUrl}/calendars/mine.ics${new URL(request.url).search}`;
      const head = { title: 'My versions: ends of support', producer: 'Release index', source };
      const body = writeCalendar(head, eventsOf(judged, `${settings.baseUrl}/`));
      return respond(request, 200, body, cached('text/calendar; charset=utf-8'));
    },
  },
  {
    name: 'feed-of-versions',
    path: '/feeds/mine.atom',
    summary: 'The changes of the components in a list, as an Atom feed.',
    description: `The newest ${mostEntries}, from the feeds of these components.`,
    parameters: [list],
    answers: {
      200: { description: 'The feed', mediaType: 'application/atom+xml' },
      404: unknown,
    },
    example: '/feeds/mine.atom?c={component}@{version}',
    async handle({ request, stated, index, settings }) {
      const versions = await versionsOf(index, stated['c']!);
      const names = [...new Set(versions.map(({ component }) => component))];
      const texts = await Promise.all(names.map((name) => index.feed(name)));
      const body = await joinFeeds(
        texts.filter((text) => text !== undefined),
        settings.baseUrl,
        request.url,
      );
      return respond(request, 200, body, cached('application/atom+xml; charset=utf-8'));
    },
  },
];

function cached(type: string): Record<string, string> {
  return { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' };
}

/** Throws an `UnknownNameError`. */
async function versionsOf(index: PublishedIndex, text: string): Promise<MyVersion[]> {
  const texts = text.split(',').filter((each) => each !== '');
  if (texts.length > mostVersions)
    throw new UnknownNameError(`c: expected at most ${mostVersions} versions; got ${texts.length}.`);
  return namedVersions(index, texts);
}

/** Joins the newest entries of several feeds. */
async function joinFeeds(feeds: readonly string[], baseUrl: string, url: string): Promise<string> {
  const updatedOf = (entry: string) => /<updated>([^<]+)/.exec(entry)?.[1] ?? '';
  const entries = feeds
    .flatMap((feed) => feed.match(/ {2}<entry>[^]*?<\/entry>\n/g) ?? [])
    .sort((a, b) => (updatedOf(a) < updatedOf(b) ? 1 : -1))
    .slice(0, mostEntries);
  const { host } = new URL(baseUrl);
  const id = `tag:${host},2026:mine/${(await sha256Hex(new URL(url).search)).slice(0, 16)}`;
  const self = `${baseUrl}/feeds/mine.atom${new URL(url).search}`
    .replaceAll('&', '&amp;')
    .replaceAll('"', '%22');
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${id}</id>
  <title>My versions: changes</title>
  <updated>${entries[0] === undefined ? '2000-01-01T00:00:00Z' : updatedOf(entries[0])}</updated>
  <link rel="self" type="application/atom+xml" href="${self}"/>
  <link rel="alternate" type="text/html" href="${baseUrl}/mine.html"/>
  <author><name>${host}</name></author>
${entries.join('')}</feed>
`;
}
