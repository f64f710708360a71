import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import { openIndex } from '../../../../src/ask/answers/published-index.ts';
import { tools } from '../../../../src/ask/server/mcp/tools.ts';
import { openDocumentsIn } from '../../../../src/deliver/publish/index-documents.ts';
import { fixtureDay } from '../../../harness/checkout.ts';
import { openTools, type McpClient } from '../../../harness/mcp-clients.ts';
import { definition } from '../../../harness/root.ts';
import { rootOf, siteOf, recordOn } from '../../../harness/site.ts';
import { allRuns, dayAfterRuns, old, rootWithRuns, sound, troubled } from '../api/recorded-runs.ts';
import { covers } from '../../../harness/covers.ts';

let client: McpClient;

beforeAll(async () => {
  const recorded = root();
  await recordOn(recorded, '2026-07-09', '2026-07-11', '2026-10-01');
  client = await openTools(siteOf(recorded), fixtureDay);
});

afterAll(() => client.close());

/** A component of each kind, and one with more releases than an answer has. */
function root(): string {
  const many = Array.from({ length: 700 }, (_, index) => ({
    version: `1.${index}.0`,
    releaseTimestamp: '2026-01-01',
    firstSeen: '2026-01-01',
  }));
  return rootOf({
    many: { definition: definition({ title: 'The many' }), releases: many },
    old: {
      definition: definition({
        title: 'The old',
        support: {
          policy: 'ended',
          until: '2026-12-31',
          deprecatedFrom: '2026-01-01',
          reason: 'It is done',
        },
        replacedBy: 'svc',
      }),
      releases: [{ version: '9.0', releaseTimestamp: '2020-01-01' }],
    },
    empty: { definition: definition({ title: 'The empty' }) },
    svc: {
      definition: definition({ title: 'The server', support: { policy: 'term', months: 18 } }),
      releases: [
        { version: '2025.1', releaseTimestamp: '2025-01-10', firstSeen: '2026-06-01' },
        { version: '2026.1', releaseTimestamp: '2025-12-01', firstSeen: '2026-06-01' },
        {
          version: '2026.2',
          releaseTimestamp: '2026-10-01',
          firstSeen: '2026-10-01',
          changelogUrl: 'https://example.com/2026.2',
        },
      ],
    },
  });
}

const ask = (tool: string, given: Record<string, unknown> = {}) => client.callTool(tool, given);

test('find_releases answers with the fields of queries, and a line for each release', async () => {
  covers('In dashboards, in the API, in queries of the provenance service');
  const { text, content } = await ask('find_releases', { query: 'component:svc' });

  expect(text.split('\n')).toEqual([
    `3 releases on ${fixtureDay}.`,
    'svc 2025.1: ended, released 2025-01-10, end of support 2026-07-10',
    'svc 2026.1: supported, released 2025-12-01, end of support 2027-06-01',
    'svc 2026.2: supported, the latest, released 2026-10-01, end of support 2028-04-01',
  ]);
  expect(content!['releases']).toMatchObject([{ version: '2025.1' }, {}, { version: '2026.2' }]);
});

test('find_releases says until when the present phase of a release lasts, as text and as a fact', async () => {
  const phases = [
    { name: 'active', months: 12 },
    { name: 'security', months: 24 },
  ];
  const documents = openDocumentsIn(
    siteOf(
      rootOf({
        svc: {
          definition: definition({ support: { policy: 'term', phases } }),
          releases: [{ version: '1.0', releaseTimestamp: '2026-01-10' }],
        },
      }),
    ),
  );
  const { text, content } = await tools
    .find(({ name }) => name === 'find_releases')!
    .answer({ query: 'svc' }, { index: openIndex(documents), day: fixtureDay });

  expect(text).toContain('phase active until 2027-01-10');
  expect(content).toMatchObject({ releases: [{ phase: 'active', phaseUntil: '2027-01-10' }] });
});

test('find_releases says how many releases it left out, and how to get them', async () => {
  const some = await ask('find_releases', { query: '' });
  const most = await ask('find_releases', { query: '', max: 500 });

  expect(some.text).toContain(
    `50 of 704 releases on ${fixtureDay}: narrow the query, or ask for more with max.`,
  );
  expect(some.content).toMatchObject({ total: 704 });
  expect(some.content!['releases']).toHaveLength(50);
  expect(most.content!['releases']).toHaveLength(500);
  expect(most.text).toContain(`500 of 704 releases on ${fixtureDay}: narrow the query.`);
  expect((await ask('find_releases', { query: 'nothing' })).text).toBe(
    `No release matches on ${fixtureDay}. No component, title or version contains "nothing".`,
  );
});

test('show_component names all components, one with its lines, and a line with its releases', async () => {
  const all = await ask('show_component');
  const one = await ask('show_component', { component: 'svc' });
  const line = await ask('show_component', { component: 'svc', line: '2026.1' });
  const year = await ask('show_component', { component: 'svc', line: '2026' });
  const years = await ask('show_component', { component: 'svc', line: '2026.x' });

  expect(all.text.split('\n')).toEqual([
    `4 components on ${fixtureDay}.`,
    ...['empty (The empty)', 'many (The many)', 'old (The old)', 'svc (The server)'],
  ]);
  expect(all.content).toMatchObject({
    asOf: fixtureDay,
    total: 4,
    components: ['empty', {}, {}, {}],
  });
  expect(one.text).toContain('The latest version is 2026.2. 2026.1 is supported until 2027-06-01.');
  expect(one.content).toMatchObject({ latest: '2026.2', lines: [{ line: '2026.1' }, {}] });
  expect(line.text).toBe('svc 2026.1 is supported until 2027-06-01. Releases: 2026.1.');
  expect(years).toEqual(year);
  expect(year.content).toMatchObject({ lines: [{ line: '2026.1' }, { releases: ['2026.2'] }] });
});

test('check_versions gives the verdict, until when, and what to move to, in one text', async () => {
  const { text, content } = await ask('check_versions', { text: 'svc v2025.1' });

  expect(text).toBe(
    'Ended. The server 2025.1 was supported until 2026-07-10. Move to 2026.2. 2025-01-10, by the vendor; 18 months, by the definition; support ended 2026-07-10. 2026.2 is supported until 2028-04-01. 1 release between. Advisories: not known.',
  );
  expect(content).toMatchObject({
    items: [{ line: 1, isListed: true, version: '2025.1' }],
    steps: [{ to: { component: 'svc', version: '2026.2' } }],
    notRead: [],
  });
});

test('check_versions reads a list, and says why a part of it has no verdict', async () => {
  const list =
    'svc 2025.1, old 9.0\nnothing 1.0\nsvc >=2026\nserver 2026.2\n# a comment\nsvc v2025.1\n';
  const { text, content } = await ask('check_versions', { text: list });

  expect(text.split('\n')).toEqual([
    `2 versions read, 3 left out, on ${fixtureDay}. Two things to do: one now, one by 31 Dec 2026. Then nothing is due before 1 Apr 2028.`,
    '1. The server 2025.1 was supported until 2026-07-10. Move to 2026.2 now.',
    '2. The old 9.0 is deprecated, and supported until 2026-12-31. Move to The server 2026.2 by 2026-12-31.',
    '"svc >=2026" states no version.',
    'Advisories: not known for 2 of 2.',
    '2 other lines name nothing of this index.',
  ]);
  expect(content).toMatchObject({
    items: [{ line: 1 }, { line: 1 }],
    notRead: [{ line: 3, reason: 'no-version' }],
  });
});

test('changes_since lists the newest first, including the day itself', async () => {
  const { text, content } = await ask('changes_since', { date: '2026-07-11' });
  const later = await ask('changes_since', { date: '2026-10-02' });

  const end = '2025-01-10, by the vendor; 18 months, by the definition.';
  expect(text.split('\n')).toEqual([
    `4 changes from 2026-07-11 until ${fixtureDay}.`,
    '2026-10-01: svc: Support of release line 2026.2 ends on 2028-04-01: 2026-10-01, by the vendor; 18 months, by the definition.',
    '2026-10-01: svc: 2026.2 was released on 2026-10-01.',
    `2026-07-11: svc: 2025.1 is deprecated: ${end}`,
    `2026-07-11: svc: Support of release line 2025.1 ended on 2026-07-10: ${end}`,
  ]);
  expect(content).toMatchObject({
    total: 4,
    changes: ['support-announced', 'released', 'deprecated', 'support-ended'].map((type) => ({
      type,
    })),
  });
  // The run of 2026-10-01 may have been published later.
  expect(later.content).toMatchObject({ total: 2 });
  const ofOne = await ask('changes_since', { date: '2026-07-11', component: 'old' });
  expect(ofOne.text).toBe(`Nothing changed from 2026-07-11 until ${fixtureDay}.`);
  const added = await ask('changes_since', { date: '2026-07-09', component: 'old' });
  expect(added.text).toBe(
    `Nothing else changed from 2026-07-09 until ${fixtureDay}.\nAdded to the index: old.`,
  );
  const entered = await ask('changes_since', { date: '2026-07-09' });
  expect(entered.text).toContain('Added to the index: svc, old, many.');
  expect(entered.content).toMatchObject({ entered: ['svc', 'old', 'many'] });
  const { output } = tools.find(({ name }) => name === 'changes_since')!;
  expect(Object.keys((output as z.ZodObject).shape)).toEqual(Object.keys(entered.content!));
});

test.each<[tool: string, given: Record<string, unknown>, message: unknown]>([
  [
    'find_releases',
    { query: 'component:svc isLatest:maybe' },
    'query: character 24: expected true, false or * (isLatest is a Boolean); got "maybe"\ncomponent:svc isLatest:maybe\n                       ^',
  ],
  ['find_releases', { query: '', max: 501 }, 'max: expected at most 500; got 501'],
  ['find_releases', {}, 'query: expected string; got nothing, and it is required'],
  [
    'show_component',
    { component: 'svc', line: '2024.1' },
    'line: svc has no release line "2024.1". It has 2026.2, 2026.1, 2025.1.',
  ],
  [
    'show_component',
    { component: 'no' },
    '"no" names no component of this index. The index has 4 components.',
  ],
  [
    'show_component',
    { component: 'The server 2025.1' },
    '"The server 2025.1" names no component of this index. Did you mean "svc"?',
  ],
  ['show_component', { line: '2025.1' }, 'line: name the component of "2025.1", too.'],
  ['show_component', { component: 'svc', line: 2025.1 }, 'line: expected string; got 2025.1'],
  [
    'check_versions',
    { txt: 'svc 1' },
    'text: expected string; got nothing, and it is required\ntxt: unknown key; did you mean "text"? Otherwise remove or correct it',
  ],
  [
    'list_runs',
    Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`key${index}`, 1])),
    expect.stringMatching(/^key0: unknown key.*\n(.+\n){9}And 2 more\.$/),
  ],
  ['check_versions', { text: '{"spdxVersion": 3}' }, expect.stringContaining('text: spdxVersion:')],
  ['list_runs', { query: 'buildOutcme:failed' }, expect.stringContaining('buildOutcome')],
  [
    'changes_since',
    { date: '2026-01-01', component: 'svk' },
    '"svk" names no component of this index. Did you mean "svc"? The index has 4 components.',
  ],
  ...['yesterday', '2026-02-30', '2026', '20260131', '2999-01-01T00:00:00Z'].map(
    (date): [string, Record<string, unknown>, string] => [
      'changes_since',
      { date },
      `date: expected a time up to now in ISO 8601, such as 2026-01-31 or 2026-01-31T10:30:00Z, or in milliseconds since 1970 (0, or at least 12 digits); got "${date}"`,
    ],
  ),
])('%s rejects %j with the remedy', async (tool, given, message) => {
  expect(await ask(tool, given)).toMatchObject({
    text: message,
    content: undefined,
    isError: true,
  });
});

test('an index too large for a search still lists components and answers about each', async () => {
  const index = openIndex(openDocumentsIn(siteOf(root())), { maxSearched: 1000 });
  const answer = (name: string, given: object) =>
    tools.find((tool) => tool.name === name)!.answer(given, { index, day: fixtureDay });

  expect((await answer('show_component', {})).text).toContain('\nsvc (The server)');
  expect(
    (await answer('find_releases', { query: 'component:svc isLatest' })).content,
  ).toMatchObject({
    total: 1,
  });
  await expect(answer('find_releases', { query: 'isLatest' })).rejects.toThrow(
    'the search data has more than 1,000 characters',
  );
});

test('list_runs rejects a query with too much work, and advises what helps for runs', async () => {
  const many = Array.from({ length: 3000 }, (_, position) => ({
    ...sound,
    id: `b${String(position).padStart(12, '0')}`,
    at: new Date(Date.parse(sound.at) + position).toISOString(),
  }));
  const ofRuns = await openTools(siteOf(rootWithRuns(many), dayAfterRuns), dayAfterRuns);
  const query = Array(94).fill('buildDuration:>1s').join(' or ');
  const { text, isError } = await ofRuns.callTool('list_runs', { query });
  await ofRuns.close();

  expect(isError).toBe(true);
  expect(text).toMatch(/^query: it takes up to .* among 3,000 runs, .*\. Use fewer terms\.$/);
});

test('list_runs counts failed sources as status.json does, and waits apart from them', async () => {
  const site = siteOf(rootWithRuns(allRuns), dayAfterRuns);
  const ofRuns = await openTools(site, dayAfterRuns);
  const { content } = await ofRuns.callTool('list_runs', { max: 1 });
  await ofRuns.close();
  const { runs } = JSON.parse(readFileSync(join(site, 'status.json'), 'utf8'));

  expect(runs[0]).toMatchObject({ id: troubled.id, troubles: 1 });
  expect(content).toMatchObject({ runs: [{ id: troubled.id, troubles: 1, waits: 1 }] });
});

test('list_runs says how many runs a query selects, and ends each cause as a sentence', async () => {
  const ofRuns = await openTools(siteOf(rootWithRuns(allRuns), dayAfterRuns), dayAfterRuns);
  const newest = await ofRuns.callTool('list_runs', { max: 1 });
  const failed = await ofRuns.callTool('list_runs', { query: 'buildOutcome:failed' });
  await ofRuns.close();

  const run = `${troubled.at}: 2 sources of 2 components asked, 0 events recorded. tool failed: pypi answered 503. tool held: 3 releases would be withdrawn.`;
  expect(newest.text).toBe(`1 of 3 runs, newest first.\n${run}`);
  expect(failed.text).toBe(`1 run, newest first.\n${run}`);
});

test('show_component says of a line that it has no release yet', async () => {
  const lines = { '2026.1': '2027-06-01', '2027.1': '2029-01-01' };
  const planned = rootOf({
    svc: {
      definition: definition({ support: { policy: 'dated', lines } }),
      releases: [{ version: '2026.1' }],
    },
  });
  const ofPlanned = await openTools(siteOf(planned, fixtureDay), fixtureDay);
  const { text } = await ofPlanned.callTool('show_component', { component: 'svc', line: '2027.1' });
  await ofPlanned.close();

  expect(text).toBe('svc 2027.1 is supported until 2029-01-01. Releases: none.');
});

test('list_runs leaves out a run that not all readers can see yet, as /api/builds does', async () => {
  const documents = openDocumentsIn(siteOf(rootWithRuns(allRuns), dayAfterRuns));
  const index = openIndex({
    ...documents,
    publishedAt: () => Promise.resolve(Date.now() + 60_000),
  });
  const answer = await tools
    .find(({ name }) => name === 'list_runs')!
    .answer({}, { index, day: dayAfterRuns });

  expect(answer.content).toMatchObject({ runs: [{ id: sound.id }, { id: old.id }] });
});

test('all definitions of tools have fewer than 3,000 tokens', async () => {
  const text = JSON.stringify(await client.listTools());

  // Within 5 % of cl100k for these texts.
  const tokens = Array.from(text.matchAll(/ ?\p{L}+|\d{1,3}|[^\s\p{L}\d]+/gu));
  expect(1.1 * tokens.length).toBeLessThan(3000);
});
