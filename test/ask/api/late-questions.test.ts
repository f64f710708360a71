import { parseFeed } from '@rowanmanning/feed-parser';
import ICAL from 'ical.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../../src/core/dates.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { connect } from '../../harness/mcp-clients.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';

const later = addDays(fixtureDay, 70);
const old = `This index was last updated on ${fixtureDay}; newer releases may be missing.`;

let site: ServedSite;

beforeAll(async () => {
  site = await serveSite(siteOfFixtureIndex(), 'https://releases.example.com', { TODAY: later });
});

afterAll(() => site.close());

const get = (path: string, init?: RequestInit) => fetch(new URL(path, site.url), init);

test.each<[string, RequestInit?]>([
  ['/api/components'],
  ['/api/components/svc'],
  ['/api/releases?query=component:svc'],
  ['/api/scan', { method: 'POST', body: 'svc@2026.3\n' }],
  ['/packages/generic/svc/2026.3/policy-scans/supported', { method: 'POST' }],
])('%s says that the index is old', async (path, init) => {
  const answer = await get(path, init);

  expect(answer.status).toBe(200);
  expect(answer.headers.get('release-index-note')).toBe(old);
});

test.each([
  ['list_components', {}],
  ['changes_since', { date: fixtureDay }],
  ['find_releases', { query: 'component:svc' }],
])('%s says that the index is old, and answers as of today', async (tool, given) => {
  const client = await connect({ url: `${site.url}mcp` }, 'modern');
  const { text, content } = await client.callTool(tool, given);
  await client.close();

  expect(text).toContain(old);
  expect(content).toMatchObject({ asOf: later });
});

test('a list of versions has a calendar and a feed to subscribe to, and names exactly what it means', async () => {
  const calendar = await get('/calendars/mine.ics?c=svc@2025.4,edge-node@1.7');
  expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const events = new ICAL.Component(ICAL.parse(await calendar.text())).getAllSubcomponents(
    'vevent',
  );
  expect(events.map((event) => new ICAL.Event(event).summary)).toEqual([
    'Server 2025.4: support ends',
  ]);

  const feed = await get('/feeds/mine.atom?c=svc@2025.4,edge-node@1.7');
  const { items } = parseFeed(await feed.text());
  expect(new Set(items.map(({ url }) => new URL(url!).pathname))).toEqual(
    new Set(['/svc.html', '/edge-node.html']),
  );
  expect(items.length).toBeLessThanOrEqual(100);
  expect(items.map(({ updated }) => updated)).toEqual(
    items.map(({ updated }) => updated).toSorted((a, b) => Number(b) - Number(a)),
  );

  expect((await get('/calendars/mine.ics?c=svcc@2025.4')).status).toBe(404);
  expect((await get('/feeds/mine.atom')).status).toBe(400);
});
