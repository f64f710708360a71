import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../../../src/core/model/dates.ts';
import { fixtureDay } from '../../../harness/checkout.ts';
import { connect } from '../../../harness/mcp-clients.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { serveSite, type ServedSite } from '../../../harness/worker.ts';

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
  ['/packages/generic/svc/2026.3/policy-scans/supported', { method: 'POST' }],
])('%s says that the index is old', async (path, init) => {
  const answer = await get(path, init);

  expect(answer.status).toBe(200);
  expect(answer.headers.get('release-index-note')).toBe(old);
});

test.each([
  ['show_component', {}],
  ['changes_since', { date: fixtureDay }],
  ['find_releases', { query: 'component:svc' }],
])('%s says that the index is old, and answers as of today', async (tool, given) => {
  const client = await connect({ url: `${site.url}mcp` }, 'modern');
  const { text, content } = await client.callTool(tool, given);
  await client.close();

  expect(text).toContain(old);
  expect(content).toMatchObject({ asOf: later });
});
