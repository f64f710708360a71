import { expect, test } from 'vitest';
import { ask } from '../../harness/ask-source.ts';
import { text } from '../../harness/upstream.ts';

const heading =
  '^#{2,6} +(?<version>\\d+\\.\\d+(?:\\.\\d+)?) *$(?:\\s+(?<releaseTimestamp>\\d{1,2}(?:st|nd|rd|th) +\\w+ +\\d{4}))?';

const askPage = (body: string, ...matchStrings: string[]) =>
  ask((url) => ({ datasource: 'page', url: `${url}history`, matchStrings }), {
    documents: { '/history': text(body, 'text/html; charset=utf-8') },
  });

test('page reads dates that people write, such as "25th March 2026"', async () => {
  const { releases, isPartial } = await askPage(
    '# History\n\n### 1.21.0\n25th March 2026\n\n- x\n\n### 1.17\r\n\r\n06th June 2025\r\n### 1.16\n',
    heading,
  );

  expect(releases).toEqual([
    { version: '1.16' },
    { version: '1.17', releaseTimestamp: '2025-06-06T00:00:00Z' },
    { version: '1.21.0', releaseTimestamp: '2026-03-25T00:00:00Z' },
  ]);
  expect(isPartial).toBe(true);
});

test('page merges the matches of several regular expressions', async () => {
  const { releases } = await askPage(
    '<a id="v2.0"></a><a id="v1.0"></a><table><tr><td>1.0</td><td> March 25, 2026 </td></tr></table>',
    'id="v(?<version>[\\d.]+)"',
    '<td>(?<version>[\\d.]+)</td><td>(?<releaseTimestamp>[^<]+)</td>',
  );

  expect(releases).toEqual([
    { version: '1.0', releaseTimestamp: '2026-03-25T00:00:00Z' },
    { version: '2.0' },
  ]);
});

test('page does not loop if a regular expression matches the empty text', async () => {
  await expect(askPage('no digits', '(?<version>\\d*)')).rejects.toThrow(
    'lists no version that its matchStrings find',
  );
});
