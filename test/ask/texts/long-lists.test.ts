import { expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/answers/published-index.ts';
import { checkVersions } from '../../../src/ask/server/mcp/version-tools.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { documentsIn } from '../../../src/deliver/publish/index-documents.ts';
import { apiOf } from '../../harness/api.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';

const most = 3000;
const problemOf = (length: string) =>
  `expected at most 3,000 items in ${length} characters; got more. Split the text`;

const forms: readonly (readonly [form: string, fileName: string, (items: number) => string])[] = [
  ['lines', '', (items) => 'a 1\n'.repeat(items)],
  ['a line', '', (items) => 'a 1,'.repeat(items)],
  ['words without a version', '', (items) => 'a\n'.repeat(items)],
  ['JSON', '', (items) => JSON.stringify(Array(items).fill('a 1'))],
  ['requirements', 'requirements.txt', (items) => 'a==1\n'.repeat(items)],
  ['a chart', '', (items) => `apiVersion: v2\ndependencies:\n${'- name: a\n'.repeat(items)}`],
];

test.each(forms)('%s: a short text has at most 3,000 items', (_form, fileName, listOf) => {
  const [full, longer] = [most, most + 1].map((items) =>
    readText(listOf(items), longestTexts.file, fileName),
  );

  expect(full!.entries.length).toBe(most);
  expect(full!.problems).toEqual([]);
  expect(longer).toMatchObject({
    entries: [],
    problems: [problemOf(listOf(most + 1).length.toLocaleString('en'))],
  });
});

test('a long text has one item for 16 characters', () => {
  const [full, longer] = ['build-agent 1.2\n', 'sbt 1.2\n'].map((line) =>
    readText(line.repeat(6000), longestTexts.file),
  );

  expect(full!.entries.length).toBe(6000);
  expect(longer!.problems).toEqual([
    'expected at most 3,000 items in 48,000 characters; got more. Split the text',
  ]);
});

test('the doors that others wait for say so', async () => {
  const index = openIndex(documentsIn(siteOfFixtureIndex()), undefined, () => fixtureDay);

  const tool = checkVersions.answer(
    { text: 'svc 2025.1;'.repeat(most + 1) },
    { index, day: fixtureDay },
  );
  await expect(tool).rejects.toThrow(`text: ${problemOf('33,011')}`);

  const answer = await apiOf(siteOfFixtureIndex())(
    `/api/plan?with=${encodeURIComponent('a;'.repeat(most + 1))}`,
  );
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    detail: `with: ${problemOf('6,002')}`,
    parameter: 'with',
  });
});
