import { expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/answers/published-index.ts';
import { checkVersionsTool } from '../../../src/ask/server/mcp/check-versions-tool.ts';
import { findVersions } from '../../../src/ask/texts/find-versions.ts';
import { openNameTree } from '../../../src/ask/texts/name-tree.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { openDocumentsIn } from '../../../src/deliver/publish/index-documents.ts';
import { apiOf } from '../../harness/api.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';

const most = 3000;
const index = openIndex(openDocumentsIn(siteOfFixtureIndex()), { today: () => fixtureDay });
const problemOf = (length: string) =>
  `expected at most 3,000 names of the index in ${length} characters, beginnings of long names included; got more. Split the text`;

test.each([
  ['lines', (items: number) => 'svc 1\n'.repeat(items)],
  ['a line', (items: number) => 'svc 1,'.repeat(items)],
  ['names without a version', (items: number) => 'svc\n'.repeat(items)],
  ['JSON', (items: number) => JSON.stringify(Array(items).fill('svc 1'))],
])('%s: a short text has at most 3,000 names', async (_form, listOf) => {
  const [full, longer] = await Promise.all(
    [most, most + 1].map((items) => readText(index, listOf(items), longestTexts.file)),
  );

  expect(full!.problems).toEqual([]);
  expect(longer).toMatchObject({
    entries: [],
    problems: [problemOf(listOf(most + 1).length.toLocaleString('en'))],
  });
});

test('a long text has one name for 16 characters', async () => {
  const [full, longer] = await Promise.all(
    ['build-agent 1.2\n', 'svc 1.2\n'].map((line) =>
      readText(index, line.repeat(6000), longestTexts.file),
    ),
  );

  expect(full!.entries.length).toBe(6000);
  expect(longer!.problems).toEqual([problemOf('48,000')]);
});

test('a text of the beginnings of a long name is rejected', () => {
  const alias = `${'a '.repeat(49)}b`;
  const names = openNameTree({
    components: [{ name: 'svc', title: 'Server', aliases: [alias] }],
    packages: new Map(),
  });
  const listed = findVersions(`${alias} 1.0\n`.repeat(10_000), names);
  const beginnings = findVersions('a '.repeat(10_000), names);

  expect(listed?.entries).toHaveLength(10_000);
  expect(beginnings).toBeUndefined();
});

test('what is not ours has no limit but the length', async () => {
  const { otherCount, entries } = await readText(
    index,
    'a 1.0\n'.repeat(10_000),
    longestTexts.request,
  );

  expect({ otherCount, entries }).toEqual({ otherCount: 10_000, entries: [] });
});

test('the doors that others wait for say so', async () => {
  const text = 'svc 2025.1;'.repeat(most + 1);
  const tool = checkVersionsTool.answer({ text }, { index, day: fixtureDay });
  await expect(tool).rejects.toThrow(`text: ${problemOf('33,011')}`);

  const answer = await apiOf(siteOfFixtureIndex())(
    `/api/plan?with=${encodeURIComponent('svc;'.repeat(most + 1))}`,
  );
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    detail: `with: ${problemOf('12,004')}`,
    parameter: 'with',
  });
});
