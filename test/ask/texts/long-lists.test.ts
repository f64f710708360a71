import { expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/answers/published-index.ts';
import { checkVersions } from '../../../src/ask/server/mcp/version-tools.ts';
import { longestTexts, mostItems, readText } from '../../../src/ask/texts/read-text.ts';
import { documentsIn } from '../../../src/deliver/publish/index-documents.ts';
import { apiOf } from '../../harness/api.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';

const most = mostItems(longestTexts.tool);
const problem = 'expected at most 3,276 items in a list; got more. Split the list';

const forms: readonly (readonly [form: string, fileName: string, (items: number) => string])[] = [
  ['lines', '', (items) => 'a 1\n'.repeat(items)],
  ['a line', '', (items) => 'a 1,'.repeat(items)],
  ['words without a version', '', (items) => 'a\n'.repeat(items)],
  ['JSON', '', (items) => JSON.stringify(Array(items).fill('a 1'))],
  ['requirements', 'requirements.txt', (items) => 'a==1\n'.repeat(items)],
];

test.each(forms)('%s: a list of a tool has at most 3,276 items', (_form, fileName, listOf) => {
  const [full, longer] = [most, most + 1].map((items) =>
    readText(listOf(items), longestTexts.tool, fileName),
  );

  expect(full!.entries.length).toBe(most);
  expect(full!.problems).toEqual([]);
  expect(longer).toMatchObject({ entries: [], problems: [problem] });
});

test('the doors that others wait for reject a longer list, and the others read it', async () => {
  const site = siteOfFixtureIndex();
  const index = openIndex(documentsIn(site), undefined, () => fixtureDay);
  const list = 'svc 2025.1;'.repeat(most + 1);

  const tool = checkVersions.answer({ text: list }, { index, day: fixtureDay });
  await expect(tool).rejects.toThrow(`text: ${problem}`);

  const answer = await apiOf(site)(`/api/plan?with=${encodeURIComponent('a;'.repeat(most + 1))}`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ detail: `with: ${problem}`, parameter: 'with' });

  for (const longest of [longestTexts.page, longestTexts.file]) {
    expect(readText(list, longest)).toMatchObject({ problems: [] });
  }
});
