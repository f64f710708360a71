import { expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/answers/published-index.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { openDocumentsIn } from '../../../src/deliver/publish/index-documents.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';

const index = openIndex(openDocumentsIn(siteOfFixtureIndex()), { today: () => fixtureDay });

test.each([
  ['lines', 'svc 2025.1\n'.repeat(5000)],
  ['a line', 'svc 2025.1,'.repeat(5000)],
  ['JSON', JSON.stringify(Array(4000).fill('svc 2025.1'))],
])('%s: a text has no limit but its length', async (_form, text) => {
  const { entries, problems } = await readText(index, text, longestTexts.request);

  expect(problems).toEqual([]);
  expect(new Set(entries.map(([{ name, version }]) => `${name} ${version}`))).toEqual(
    new Set(['svc 2025.1']),
  );
  expect(entries).toHaveLength(text.match(/svc/g)!.length);
});

test('a text that is too long is rejected whole', async () => {
  const text = 'a'.repeat(longestTexts.request + 1);

  expect(await readText(index, text, longestTexts.request)).toEqual({
    entries: [],
    problems: ['expected at most 65536 characters; got 65537'],
  });
});

test('what is not ours has no limit but the length', async () => {
  const { otherCount, entries } = await readText(
    index,
    'a 1.0\n'.repeat(10_000),
    longestTexts.request,
  );

  expect({ otherCount, entries }).toEqual({ otherCount: 10_000, entries: [] });
});
