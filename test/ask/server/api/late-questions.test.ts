import { expect, test } from 'vitest';
import { openFolder } from '../../../../src/cli/open-published.ts';
import { addDays } from '../../../../src/core/model/dates.ts';
import { apiOf } from '../../../harness/api.ts';
import { fixtureDay } from '../../../harness/checkout.ts';
import { openTools } from '../../../harness/mcp-clients.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';

const later = addDays(fixtureDay, 70);
const old = `This index was last updated on ${fixtureDay}; newer releases may be missing.`;
const ask = apiOf(siteOfFixtureIndex(), openFolder(siteOfFixtureIndex(), () => later).index);

test.each<[string, RequestInit?]>([
  ['/api/components'],
  ['/api/components/svc'],
  ['/api/releases?query=component:svc'],
  ['/packages/generic/svc/2026.3/policy-scans/supported', { method: 'POST' }],
])('%s says that the index is old', async (path, init) => {
  const answer = await ask(path, init);

  expect(answer.status).toBe(200);
  expect(answer.headers.get('release-index-note')).toBe(old);
});

test.each([
  ['show_component', {}],
  ['show_component', { component: 'svc' }],
  ['show_component', { component: 'svc', line: '2026.3' }],
  ['changes_since', { date: fixtureDay }],
  ['find_releases', { query: 'component:svc' }],
])('%s says that the index is old, and answers as of today', async (tool, given) => {
  const client = await openTools(siteOfFixtureIndex(), later);
  const { text, content } = await client.callTool(tool, given);
  await client.close();

  expect(text).toContain(old);
  expect(content).toMatchObject({ asOf: later });
});

interface Described {
  readonly component: string;
  readonly status: { readonly state: string };
}

test('the list of components and each component agree that nobody has checked it for too long', async () => {
  const list = await ask('/api/components');
  const all = (await list.json()) as Described[];
  const stale = all.filter(({ status }) => status.state === 'stale');

  expect(stale).not.toEqual([]);
  expect(list.headers.get('cache-control')).toBe('no-store');
  for (const { component } of stale) {
    const one = (await (await ask(`/api/components/${component}`)).json()) as Described;
    expect(one.status.state).toBe('stale');
  }
});

test('check_versions says once that the index is old', async () => {
  const client = await openTools(siteOfFixtureIndex(), later);
  const { text } = await client.callTool('check_versions', { text: 'svc 2025.1\nsvc 2026.3' });
  await client.close();

  expect(text.split(old)).toHaveLength(2);
});
