import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { findAllMatches } from '../../../src/record/sources/page.ts';
import { SourceError } from '../../../src/record/sources/datasource.ts';
import { ask } from '../../harness/asking.ts';

const heading =
  '^#{2,6} +(?<version>\\d+\\.\\d+(?:\\.\\d+)?) *$(?:\\s+(?<releaseTimestamp>\\d{1,2}(?:st|nd|rd|th) +\\w+ +\\d{4}))?';

function source(...matchStrings: string[]): (url: string) => TypedSource {
  return (url) => ({ datasource: 'page', url: `${url}history`, matchStrings });
}

function text(body: string, type = 'text/markdown') {
  return { documents: { '/history': { type, body } } };
}

it.each<[string, string, object[]]>([
  [
    'versions and days as printed',
    '# History\n\n## Current\n\n### 1.21.0\n25th March 2026\n\n- [NEW] x\n\n### 1.17\n\n06th June 2025\n### 1.16\n',
    [
      { version: '1.21.0', releaseTimestamp: '25th March 2026' },
      { version: '1.17', releaseTimestamp: '06th June 2025' },
      { version: '1.16' },
    ],
  ],
  [
    'lines with any line end',
    '### 1.17\r\n\r\n06th June 2025\r\n',
    [{ version: '1.17', releaseTimestamp: '06th June 2025' }],
  ],
  [
    'a version once that is printed twice, with the day of either',
    '## 1.16\n\n- x\n\n## 1.16\n27th May 2025\n\n## 1.16\n1st January 2020\n',
    [{ version: '1.16', releaseTimestamp: '27th May 2025' }],
  ],
])('page reads %s', async (_, body, expected) => {
  expect((await ask(source(heading), text(body))).releases).toEqual(expected);
});

it('page unites the matches of several expressions', async () => {
  const { releases } = await ask(
    source(
      'id="v(?<version>[\\d.]+)"',
      '<td>(?<version>[\\d.]+)</td><td>(?<releaseTimestamp>[^<]+)</td>',
    ),
    text(
      '<a id="v2.0"></a><a id="v1.0"></a><table><tr><td>1.0</td><td> March 25, 2026 </td></tr></table>',
      'text/html; charset=utf-8',
    ),
  );

  expect(releases).toEqual([
    { version: '2.0' },
    { version: '1.0', releaseTimestamp: 'March 25, 2026' },
  ]);
});

it('page survives expressions that match the empty text', async () => {
  const asked = ask(source('(?<version>\\d*)'), text('no digits'));

  await expect(asked).rejects.toThrow(/\/history lists no version that its matchStrings find$/);
});

it('page gives up expressions that search the whole page again and again', async () => {
  const needsAll = '(?<version>\\d)(?:[^z]*z)?';
  const long = '1'.repeat(100_000);
  const matching = () => [
    ...findAllMatches(long, ['x', needsAll], 'https://example.com/history', 50),
  ];

  expect(matching).toThrow(
    new SourceError(
      'https://example.com/history: matching takes longer than 0.05 s; a matchString searches the whole page again and again',
    ),
  );
  // A search that could take too long is not begun.
  await expect(ask(source('(?<version>\\d{400})'), text('1'.repeat(2_000_000)))).rejects.toThrow(
    'its 2000000 characters are too many for the matchString "(?<version>\\\\d{400})", which has too many nested repeats',
  );
});
