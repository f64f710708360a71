import { afterAll, beforeAll, expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/published-index.ts';
import { tools } from '../../../src/ask/mcp/tools.ts';
import { documentsIn } from '../../../src/deliver/publish/index-documents.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { connect, type McpClient } from '../../harness/mcp-clients.ts';
import { definition } from '../../harness/root.ts';
import { rootOf, siteOf, recordOn } from '../../harness/site.ts';
import { covers } from '../../harness/covers.ts';

let client: McpClient;

beforeAll(async () => {
  const recorded = root();
  await recordOn(recorded, '2026-07-09', '2026-07-10', '2026-10-01');
  client = await connect({ args: [siteOf(recorded), '--as-of', fixtureDay] }, 'modern');
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
          since: '2026-12-31',
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

test('list_components names each component in a line', async () => {
  const { text, content } = await ask('list_components');

  expect(text.split('\n')).toEqual([
    `4 components on ${fixtureDay}.`,
    'empty (The empty): no latest version, 0 releases, static',
    'many (The many): latest 1.699.0, 700 releases, static',
    'old (The old): no latest version, 1 release, static',
    'svc (The server): latest 2026.2, 3 releases, static',
  ]);
  expect(content).toMatchObject({ asOf: fixtureDay, total: 4 });
});

test('find_releases answers with the fields of queries, and a line for each release', async () => {
  covers(89);
  const { text, content } = await ask('find_releases', { query: 'component:svc' });

  expect(text.split('\n')).toEqual([
    `3 releases on ${fixtureDay}.`,
    'svc 2025.1: ended, released 2025-01-10, end of support 2026-07-10',
    'svc 2026.1: supported, released 2025-12-01, end of support 2027-06-01',
    'svc 2026.2: supported, the latest, released 2026-10-01, end of support 2028-04-01',
  ]);
  expect(content!['releases']).toMatchObject([{ version: '2025.1' }, {}, { version: '2026.2' }]);
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
  expect((await ask('find_releases', { query: 'nothing' })).text).toBe(
    `No release matches on ${fixtureDay}. No component, title or version contains "nothing".`,
  );
});

test('latest_version names the latest version with its verdict', async () => {
  const { text, content } = await ask('latest_version', { component: 'svc' });

  expect(text).toBe(
    'The latest version of svc is 2026.2, released on 2026-10-01. Supported. The server 2026.2 is supported until 2028-04-01. No need to move. 2026.2 was first released on 2026-10-01; a release line is supported for 18 months.',
  );
  expect(content).toMatchObject({
    version: '2026.2',
    releaseTimestamp: '2026-10-01T00:00:00Z',
    changelogUrl: 'https://example.com/2026.2',
    supportedUntil: '2028-04-01',
  });
});

test('latest_version is the latest version of a named line', async () => {
  expect((await ask('latest_version', { component: 'svc', line: '2026.1' })).content).toMatchObject(
    {
      version: '2026.1',
      isLatest: false,
    },
  );
});

test('latest_version says why there is none, and what to use instead', async () => {
  const { text, content } = await ask('latest_version', { component: 'old' });

  expect(text).toContain(
    'No version of old is stable and not deprecated. Its newest release: Deprecated. The old 9.0 is deprecated, and supported until 2026-12-31. Move to svc 2026.2 by 2026-12-31. It is done.',
  );
  expect(content).not.toHaveProperty('version');
  expect(content).toMatchObject({ moveTo: { component: 'svc', version: '2026.2' } });
});

test('check_version gives the verdict, until when, and what to move to, in one text', async () => {
  const { text, content } = await ask('check_version', { component: 'svc', version: 'v2025.1' });

  expect(text).toBe(
    'Support ended. The server 2025.1 has been out of support since 2026-07-10. Move to 2026.2. 2025.1 was first released on 2025-01-10; a release line is supported for 18 months. 2026.2 is supported until 2028-04-01. 1 release between.',
  );
  expect(content).toMatchObject({
    isListed: true,
    version: '2025.1',
    moveTo: { component: 'svc', version: '2026.2' },
  });
});

test('check_version answers for several versions at once, with an error for each invalid version', async () => {
  const { text, content } = await ask('check_versions', { items: ['svc@2025.1', 'nothing 1.0'] });

  expect(text).toBe(
    'svc@2025.1: Support ended. The server 2025.1 has been out of support since 2026-07-10. Move to 2026.2.\nnothing 1.0: There is no component "nothing 1.0". The index has 4 components.',
  );
  expect(content).toMatchObject({
    answers: [{ answer: { version: '2025.1' } }, { item: 'nothing 1.0' }],
  });
});

test('coming_changes lists the soonest first, within the requested days', async () => {
  const near = await ask('coming_changes');
  const far = await ask('coming_changes', { days: 365 });
  const none = await ask('coming_changes', { days: 0 });

  expect(near.text).toBe(
    `1 change until 2027-02-18, as known on ${fixtureDay}.\n2026-12-31: end of support of old 9.0.`,
  );
  expect(far.text.split('\n')).toEqual([
    `2 changes until 2027-11-20, as known on ${fixtureDay}.`,
    '2026-12-31: end of support of old 9.0.',
    '2027-06-01: end of support of svc 2026.1.',
  ]);
  expect(far.content).toMatchObject({
    until: '2027-11-20',
    total: 2,
    changes: [{ component: 'old', of: ['9.0'], from: '2026-12-31', event: 'end of support' }, {}],
  });
  expect(none.text).toBe(
    `Nothing changes by itself until ${fixtureDay}, as known on ${fixtureDay}. Next: 2026-12-31: end of support of old 9.0.`,
  );
});

test('changes_since lists the newest first, including the day itself', async () => {
  const { text, content } = await ask('changes_since', { date: '2026-07-10' });
  const later = await ask('changes_since', { date: '2026-10-02' });

  const end = '2025.1 was first released on 2025-01-10; a release line is supported for 18 months.';
  expect(text.split('\n')).toEqual([
    `4 changes from 2026-07-10 until ${fixtureDay}.`,
    '2026-10-01: svc: Support of release line 2026.2 ends on 2028-04-01: 2026.2 was first released on 2026-10-01; a release line is supported for 18 months.',
    '2026-10-01: svc: 2026.2 was released on 2026-10-01.',
    `2026-07-10: svc: 2025.1 is deprecated: ${end}`,
    `2026-07-10: svc: Support of release line 2025.1 ended on 2026-07-10: ${end}`,
  ]);
  expect(content).toMatchObject({
    total: 4,
    changes: ['support-announced', 'released', 'deprecated', 'support-ended'].map((type) => ({
      type,
    })),
  });
  // The run of 2026-10-01 may have been published later.
  expect(later.content).toMatchObject({ total: 2 });
  const ofOne = await ask('changes_since', { date: '2026-07-10', component: 'old' });
  expect(ofOne.text).toBe(`Nothing changed from 2026-07-10 until ${fixtureDay}.`);
  const entered = await ask('changes_since', { date: '2026-07-09' });
  expect(entered.text).toContain('Added to the index: svc, old, many.');
  expect(entered.content).toMatchObject({ entered: ['svc', 'old', 'many'] });
});

test.each<[tool: string, given: Record<string, unknown>, message: string]>([
  [
    'find_releases',
    { query: 'component:svc isLatest:maybe' },
    'query: character 24: expected true, false or * (isLatest is a Boolean); got "maybe"\ncomponent:svc isLatest:maybe\n                       ^',
  ],
  ['find_releases', { query: '', max: 501 }, 'max: expected at most 500; got 501'],
  ['find_releases', {}, 'query: expected string; got nothing, and it is required'],
  [
    'latest_version',
    { component: 'svc', line: '2024.1' },
    'svc has no release line "2024.1". It has 2026.2, 2026.1, 2025.1.',
  ],
  [
    'latest_version',
    { component: 'empty' },
    'No release of empty is known, so it has no latest version.',
  ],
  [
    'check_version',
    { component: 'no', version: '1' },
    'There is no component "no". The index has 4 components.',
  ],
  [
    'check_version',
    { component: 'svc', version: 2025.1 },
    'version: expected a text: write "2025.1" in quotes',
  ],
  [
    'check_version',
    { component: 'svc', version: '2025.1\u001b' },
    String.raw`version: expected a version such as 2025.3, without white space and control characters; got "2025.1\u001b"`,
  ],
  [
    'check_version',
    { componnt: 'svc', version: '1' },
    'component: expected string; got nothing, and it is required\ncomponnt: unknown key; did you mean "component"? Otherwise remove or correct it',
  ],
  ['coming_changes', { days: -1 }, 'days: expected at least 0; got -1'],
  ['changes_since', { date: 'yesterday' }, 'date: expected a day, YYYY-MM-DD; got "yesterday"'],
  [
    'changes_since',
    { date: '2026-02-30' },
    'date: expected a day that exists, YYYY-MM-DD; got "2026-02-30"',
  ],
])('%s rejects %j with the remedy', async (tool, given, message) => {
  expect(await ask(tool, given)).toMatchObject({
    text: message,
    content: undefined,
    isError: true,
  });
});

test('an index too large for a search still lists components and answers about each', async () => {
  const index = openIndex(documentsIn(siteOf(root())), 1000);
  const answer = (name: string, given: object) =>
    tools.find((tool) => tool.name === name)!.answer(given, { index, day: fixtureDay });

  expect((await answer('list_components', {})).text).toContain(
    '\nsvc: latest 2026.2, 3 releases, static',
  );
  expect(
    (await answer('find_releases', { query: 'component:svc isLatest' })).content,
  ).toMatchObject({
    total: 1,
  });
  await expect(answer('find_releases', { query: 'isLatest' })).rejects.toThrow(
    'the search data is larger than',
  );
});

test('all definitions of tools have fewer than 3,000 tokens', async () => {
  const text = JSON.stringify(await client.listTools());

  // Within 5 % of cl100k for these texts.
  const tokens = Array.from(text.matchAll(/ ?\p{L}+|\d{1,3}|[^\s\p{L}\d]+/gu));
  expect(1.1 * tokens.length).toBeLessThan(3000);
});
