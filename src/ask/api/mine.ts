import { writeAtom } from '../formats/atom.ts';
import { writeCalendar } from '../formats/calendar.ts';
import { UnknownNameError } from '../resolve.ts';
import { namedVersions } from '../ask.ts';
import { eventsOf, judgeVersions, mostVersions, type MyVersion } from '../my-versions.ts';
import type { PublishedIndex } from '../published-index.ts';
import { isAbout } from '../recorded-years.ts';
import { sha256Hex } from '../sha256.ts';
import { defineEndpoint, unknownName, versionList, type Endpoint } from './endpoint.ts';
import { valuesIn } from './read-request.ts';
import { respond } from './respond.ts';

const list = {
  ...versionList('c', 10_000, 'The components and versions in use.'),
  isRequired: true,
} as const;
const mostEntries = 100;

/** A calendar and a feed of a list of versions, to subscribe to. The page My versions has their addresses. */
export const mineEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    name: 'calendar-of-versions',
    path: '/calendars/mine.ics',
    summary: 'Ends of support of listed versions, as a calendar.',
    description: `At most ${mostVersions} versions. An event names what to move to and has an alarm 30 days before.`,
    parameters: [list],
    answers: { 200: { description: 'The calendar', mediaType: 'text/calendar' }, 404: unknownName },
    example: '/calendars/mine.ics?c={component}@{version}',
    async handle({ request, stated, index, settings }) {
      const { judged } = await judgeVersions(index, await versionsOf(index, stated.c));
      const source = `${settings.baseUrl}/calendars/mine.ics${new URL(request.url).search}`;
      const head = { title: 'My versions: ends of support', producer: 'Release index', source };
      const body = writeCalendar(head, eventsOf(judged, `${settings.baseUrl}/`));
      return respond(request, 200, body, cached('text/calendar; charset=utf-8'));
    },
  }),
  defineEndpoint({
    name: 'feed-of-versions',
    path: '/feeds/mine.atom',
    summary: 'The changes of the components in a list, as an Atom feed.',
    description: `The newest ${mostEntries}.`,
    parameters: [list],
    answers: {
      200: { description: 'The feed', mediaType: 'application/atom+xml' },
      404: unknownName,
    },
    example: '/feeds/mine.atom?c={component}@{version}',
    async handle({ request, stated, index, settings }) {
      const versions = await versionsOf(index, stated.c);
      const names = [...new Set(versions.map(({ component }) => component))];
      const { search } = new URL(request.url);
      const body = writeAtom({
        id: (await sha256Hex(search)).slice(0, 16),
        tag: `tag:${new URL(settings.baseUrl).hostname},2026:mine/`,
        title: 'My versions: changes',
        subtitle: 'Changes of the components in a list.',
        author: 'Release index',
        baseUrl: settings.baseUrl,
        path: `feeds/mine.atom${search}`,
        alternate: `${settings.baseUrl}/mine.html`,
        changes: await newestChanges(index, names),
        titles: new Map((await index.named()).map(({ name, title }) => [name, title])),
        restDay: '2000-01-01',
      });
      return respond(request, 200, body, cached('application/atom+xml; charset=utf-8'));
    },
  }),
];

function cached(type: string): Record<string, string> {
  return { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' };
}

/** Throws an `UnknownNameError`. */
async function versionsOf(index: PublishedIndex, text: string): Promise<MyVersion[]> {
  const texts = valuesIn(text);
  if (texts.length > mostVersions) {
    throw new UnknownNameError(
      `c: expected at most ${mostVersions} versions; got ${texts.length}.`,
    );
  }
  return namedVersions(index, texts);
}

/** The newest changes of some components, newest first, without the changes with which a component entered the index. */
async function newestChanges({ recordedChanges }: PublishedIndex, names: readonly string[]) {
  const found = [];
  for (const year of await recordedChanges.years()) {
    const ofYear = await recordedChanges.of(year);
    const wanted = ofYear.filter(
      (change) => change.initial !== true && names.some((name) => isAbout(change, name)),
    );
    found.push(...wanted);
    if (found.length >= mostEntries) {
      break;
    }
  }
  return found.slice(0, mostEntries);
}
