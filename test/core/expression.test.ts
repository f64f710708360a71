import { expect, test } from 'vitest';
import { compileExpression } from '../../src/core/expression.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../harness/checkout.ts';
import { allowedVersionsPattern } from '../../src/core/schemas/source-fields.ts';

interface Expressions {
  matchStrings?: string[];
  extractVersion?: string;
  allowedVersions?: string;
}

const folder = join(checkout, 'test/fixtures/index/components');
const sources = readdirSync(folder).flatMap(
  (name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { sources: Expressions[] }).sources,
);
const matchStrings = [...new Set(sources.flatMap((source) => source.matchStrings ?? []))];

const history = `# Release history

## Current

### 2026.2
25th March 2026

- [NEW] Something, see ## 2026.1 and 2025.4.1

### 2026.1.0

21th November 2025
### 1.17   
## 1.2.3.4
##1.5
###### 2025.3.1
\t 3rd  March  2025
`;

test.each(matchStrings)('a page is read as by an expression of the language: %s', (expression) => {
  const ours = [...compileExpression(expression, 'm').matches(history)];

  const theirs = Array.from(history.matchAll(new RegExp(expression, 'gm')), ({ groups }) => ({ ...groups }));
  expect(ours).toEqual(theirs);
  expect(ours.length).toBeGreaterThan(2);
});

test('names are read as by an expression of the language', () => {
  const names = [
    '2025.3',
    '2025.3.0',
    '2025.3.1',
    '1.20',
    '1.21',
    '1.21.0',
    '3.6',
    '3.7.1',
    'latest',
    'v1.0',
    '2.0-rc.1',
  ];
  const patterns = sources.flatMap(({ extractVersion, allowedVersions = '' }) => [
    ...(extractVersion === undefined ? [] : [extractVersion]),
    ...(allowedVersionsPattern.exec(allowedVersions)?.slice(2, 3) ?? []),
  ]);

  expect(patterns.length).toBeGreaterThan(2);
  for (const pattern of patterns) {
    const [ours, theirs] = [compileExpression(pattern), new RegExp(pattern)];
    for (const name of names) {
      expect(ours.test(name)).toBe(theirs.test(name));
      expect(ours.match(name)?.['version']).toBe(theirs.exec(name)?.groups?.['version']);
    }
  }
});

const size = 1024 * 1024;

test.each([
  ['one line of hashes', '#'.repeat(size)],
  ['one line of digits', `## ${'1'.repeat(size)}`],
  ['a heading and blanks', `## 1.1${' '.repeat(size)}`],
  ['headings that nearly match', `## 1.1${' '.repeat(5000)}x\n`.repeat(size / 5008)],
  ['headings and empty lines', `## 1.1${'\n'.repeat(1000)}`.repeat(size / 1006)],
  ['fifty thousand releases', '## 1.1\n\n1st May 2026\n'.repeat(size / 21)],
])(
  'a hostile page of a megabyte is read in seconds: %s',
  (_name, page) => {
    for (const expression of matchStrings) {
      const start = performance.now();

      for (const groups of compileExpression(expression, 'm').matches(page)) void groups;

      expect(performance.now() - start).toBeLessThan(5_000);
    }
  },
  60_000,
);

test('an expression that would backtrack for ever does not', () => {
  const expression = compileExpression('Release (?<version>(?:\\d+\\.?)+)<');

  expect(expression.match(`Release ${'1'.repeat(60)} of`)).toBeUndefined();
  expect(expression.match('Release 1.2.3<')).toEqual({ version: '1.2.3' });
});

test.each([
  ['(?=1)(?<version>\\d+)', 'invalid or unsupported Perl syntax: "(?="'],
  ['(?<=v)(?<version>\\d+)', 'invalid named capture: "(?<=v)(?<version>"'],
  ['(?<version>\\d)\\1', 'invalid escape sequence: "\\1"'],
  ['(?<version>\\d{1,1001})', 'invalid repeat count: "{1,1001}"'],
])('%s is refused, and why', (pattern, why) => {
  expect(() => compileExpression(pattern)).toThrow(
    `expected a regular expression as RE2 and Renovate read it, without lookaround, backreferences and repeats over 1,000, so that no text can keep it busy (${why})`,
  );
});

test('repeats that multiply are refused', () => {
  expect(() => compileExpression('(?<version>(?:\\d{1,100}\\.){1,9})')).toThrow(
    'expected a smaller regular expression: its counted repeats multiply, and a long text would keep it busy',
  );
});
