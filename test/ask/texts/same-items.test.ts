import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planVersions } from '../../../src/ask/plan/plan-versions.ts';
import { ask } from '../../../src/ask/answers/ask.ts';
import type { PublishedIndex } from '../../../src/ask/answers/published-index.ts';
import { isQuestion, type NotRead } from '../../../src/ask/texts/identified-text.ts';
import { identifyForPerson } from '../../../src/ask/texts/identify.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import type { Plan } from '../../../src/core/schemas/published/plan-answer.ts';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { linkPlan, readPlanLink, writePlanLink } from '../../../src/ask/plan/plan-link.ts';
import { apiOf } from '../../harness/api.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { openTools, type McpClient } from '../../harness/mcp-clients.ts';
import { copyOfFixtureIndex, readJsonIn, writeIn } from '../../harness/root.ts';
import { sourceForPerson } from '../../harness/person.ts';
import { run } from '../../harness/run.ts';
import { folderWith } from '../../harness/scanning.ts';
import { siteOf } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';
import { texts } from './texts.ts';

let index: PublishedIndex;
let client: McpClient;
let site: string;

beforeAll(async () => {
  const root = copyOfFixtureIndex();
  const svc = readJsonIn<object>(root, 'components/svc.json');
  writeIn(root, 'components/svc.json', { ...svc, aliases: ['Example Enterprise'] });
  site = siteOf(root);
  ({ index } = openFolder(site, () => fixtureDay));
  client = await openTools(site, fixtureDay);
});

afterAll(() => client.close());

const sorted = (items: Iterable<string>) => [...new Set(items)].sort();

/** The versions in an expected text. */
function versionsIn(items: string): string[] {
  const versions = items.replace(/\|.*$/, '').split(' ');
  return sorted(versions.filter((item) => item.includes('@')));
}

/** What is left out for programs: they get no guesses. */
function leftForPrograms(items: string): string[] {
  const [, left = ''] = items.split('| ');
  return left.split(' ').filter((part) => part !== '' && !part.includes(':guess'));
}

function leftInShort({ line, reason, didYouMean = [] }: NotRead): string {
  return [`${line}:${reason}`, ...didYouMean].join('?');
}

/** The answer of a door to programs, in the form of an expected text. */
function planInShort({ items, notRead }: Pick<Plan, 'items' | 'notRead'>) {
  return {
    versions: sorted(items.map(({ component, version }) => `${component}@${version}`)),
    left: notRead.filter(({ reason }) => reason !== 'unknown').map(leftInShort),
  };
}

test.each(texts)(
  'a person sees the versions and the lines without one: %s',
  async (_, text, items) => {
    const read = await identifyForPerson(
      sourceForPerson(index),
      await readText(index, text, longestTexts.page),
    );
    const { plan } = await planVersions(index, read);
    const versions = new Set(plan.items.map((answer) => `${answer.component}@${answer.version}`));
    const parts = [
      ...versions,
      ...(read.otherCount > 0 ? [`+${read.otherCount}`] : []),
      ...(read.notRead.length > 0 ? ['|', ...read.notRead.map(leftInShort)] : []),
    ];

    expect(parts.join(' ')).toBe(items);
  },
);

test.each(texts)('the link to a plan asks the same questions: %s', async (_, text) => {
  const planOf = async (content: string) => {
    const read = await readText(index, content, longestTexts.page);
    const identified = await identifyForPerson(sourceForPerson(index), read);
    const { plan } = await planVersions(index, identified);
    return plan;
  };
  const inShort = ({ items, notRead }: Plan) => ({
    versions: items.map(({ component, version }) => `${component}@${version}`),
    questions: notRead.filter(isQuestion).map(({ text, didYouMean }) => [text, didYouMean]),
  });
  const plan = await planOf(text);
  const link = writePlanLink(plan);
  const shared = await planOf(readPlanLink(link));

  expect(inShort(shared)).toEqual(inShort(plan));
  expect(shared.steps).toEqual(plan.steps);
  expect(writePlanLink(shared)).toBe(link);
});

test('a link to a plan keeps every character of a version and of a line', () => {
  const [, list = ''] = linkPlan(['svc@1.0+a', 'agent 1,2 #3 50%']).split('#c=');

  expect(list).toBe('svc@1.0%2Ba,agent%201%2C2%20%233%2050%25');
  expect(readPlanLink(list)).toBe('svc 1.0+a\nagent 1,2 #3 50%');
});

test('a link that was cut within a character is read as written', () => {
  expect(readPlanLink('svc@2025.1,edge%20%E2%9')).toBe('svc 2025.1\nedge%20%E2%9');
});

test.each(texts)('the tool and the plan of the API read the same: %s', async (_, text, items) => {
  const expected = { versions: versionsIn(items), left: leftForPrograms(items) };
  const { content } = await client.callTool('check_versions', { text });

  expect(planInShort(content as Plan)).toEqual(expected);

  // A comma separates the versions of a request.
  if (!text.includes(',') && expected.versions.length + expected.left.length > 0) {
    const answer = await apiOf(site)(`/api/plan?with=${encodeURIComponent(text)}`);
    expect(planInShort((await answer.json()) as Plan)).toEqual(expected);
  }
});

test.each(texts)('a scan reads the same: %s', async (_, text, items) => {
  const file = join(folderWith({ 'list.txt': text }), 'list.txt');
  const options = ['--index', await startSite(site), '--as-of', fixtureDay, '--json'];
  const { stdout } = await run(['scan', file, ...options, '--policy', 'supported']);
  const { results } = JSON.parse(stdout) as { results: PolicyScan[] };
  const versions = results.flatMap(({ details: { component, version }, status }) =>
    component === undefined || version === undefined || status === 'not-applicable'
      ? []
      : `${component}@${version}`,
  );

  expect(sorted(versions)).toEqual(versionsIn(items));
});

/** The box is a field of one line, for texts that a person types or pastes. */
const short = texts.filter(
  ([, text, items]) =>
    text.length <= 500 &&
    versionsIn(items).length > 0 &&
    !items.includes('|') &&
    !/^\s*[{[]/.test(text),
);

test.each(short)('the box reads the same: %s', async (_form, text, items) => {
  const answer = await ask(index, text);
  const versions =
    answer.kind === 'page'
      ? decodeURI(answer.page.replace(/^.*#c=/, '')).split(',')
      : [answer].map((one) =>
          one.kind === 'version' ? `${one.answer.component}@${one.answer.version}` : one.kind,
        );

  expect(sorted(versions)).toEqual(versionsIn(items));
});

test('a program gets a hint for a mistyped name and for a version without one, and no guess', async () => {
  const text = 'severr 2025.1\nnode 20.1.0\nsvc 2025.1, 2025.2, the cache node 21.2\nredis 7.2';
  const { content } = await client.callTool('check_versions', { text });

  expect((content as Plan).notRead.map(leftInShort)).toEqual([
    '1:unknown?svc@2025.1',
    '3:unknown?build-cache-node@21.2',
    '3:unknown?svc@2025.2',
  ]);
});

test.each([
  ['cache node 21.2', ['build-cache-node@21.2'], []],
  ['- Cache node version: 21.2', ['build-cache-node@21.2'], []],
  [
    'svc 2025.1\nnode build cache 21.2\nedge-node 2.0.1',
    ['svc@2025.1', 'build-cache-node@21.2', 'edge-node@2.0.1'],
    [],
  ],
  [
    'We run the server in version 2025.2, with the cache node 21.2.\nRegards',
    ['svc@2025.2', 'build-cache-node@21.2'],
    [],
  ],
  ['the cache node is 21.2 and node edge 2.0.1', ['build-cache-node@21.2', 'edge-node@2.0.1'], []],
  ['svc 2025.1 and node 20.1.0', ['svc@2025.1'], ['1:guess?build-cache-node@20.1']],
  [`${'redis 7.2\n'.repeat(80)}cache node 21.2`, ['build-cache-node@21.2'], []],
  // A line, not listed, one word, an identifier, and words of two components.
  ['cache node 21', [], ['1:guess?build-cache-node@21']],
  ['cache node 77.7', [], []],
  ['cache 21.2', [], ['1:guess?build-cache-node@21.2']],
  ['CACHE_NODE_VERSION=21.2', [], ['1:guess?build-cache-node@21.2']],
  ['build node 21.2', ['build-cache-node@21.2'], []],
  ['build 21.2', [], ['1:guess?build-cache-node@21.2']],
])('a spoken name that one component owns needs no question: %j', async (text, versions, left) => {
  const read = await identifyForPerson(
    sourceForPerson(index),
    await readText(index, text, longestTexts.page),
  );

  expect(read.versions.map(({ component, version }) => `${component}@${version}`)).toEqual(
    versions,
  );
  expect(read.notRead.map(leftInShort)).toEqual(left);
});
