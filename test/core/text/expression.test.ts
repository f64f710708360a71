import { expect, test } from 'vitest';
import { compileExpression } from '../../../src/core/text/expression.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../../harness/checkout.ts';
import { allowedVersionsPattern } from '../../../src/core/schemas/definition/source.ts';

interface Expressions {
  matchStrings?: string[];
  extractVersion?: string;
  allowedVersions?: string;
}

const folder = join(checkout, 'test/fixtures/index/components');
const sources = readdirSync(folder).flatMap(
  (name) =>
    (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { sources: Expressions[] }).sources,
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

test.each(matchStrings)('the expression %s reads a page as the language does', (expression) => {
  const ours = [...compileExpression(`(?m)${expression}`).matches(history)];

  const theirs = Array.from(history.matchAll(new RegExp(expression, 'gm')), ({ groups }) => ({
    ...groups,
  }));
  expect(ours).toEqual(theirs);
  expect(ours.length).toBeGreaterThan(2);
});

test('an expression reads names as the language does', () => {
  const names = '2025.3 2025.3.0 2025.3.1 1.20 1.21 1.21.0 3.6 3.7.1 latest v1.0 2.0-rc.1'.split(
    ' ',
  );
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

// A search that goes back takes minutes for these.
const size = 256 * 1024;

test.each([
  ['one line of hashes', '#'.repeat(size), 0],
  ['one line of digits', `## ${'1'.repeat(size)}`, 0],
  ['a heading and blanks', `## 1.1${' '.repeat(size)}`, 1],
  ['headings that nearly match', `## 1.1${' '.repeat(5000)}x\n`.repeat(50), 0],
  ['headings and empty lines', `## 1.1${'\n'.repeat(1000)}`.repeat(250), 250],
  ['ten thousand releases', '## 1.1\n\n1st May 2026\n'.repeat(10_000), 10_000],
])('a long hostile page is read to its end: %s', (_name, page, found) => {
  const [expression] = matchStrings.map((pattern) => compileExpression(`(?m)${pattern}`));

  expect([...expression!.matches(page)]).toHaveLength(found);
});

test('an expression that would backtrack for ever does not', () => {
  const expression = compileExpression('Release (?<version>(?:\\d+\\.?)+)<');

  expect(expression.match(`Release ${'1'.repeat(60)} of`)).toBeUndefined();
  expect(expression.match('Release 1.2.3<')).toEqual({ version: '1.2.3' });
});

const outsideRe2 = (why: string) =>
  `expected a regular expression as RE2 and Renovate read it, without lookaround, backreferences and repeats over 1,000, so that no text can keep it busy (${why})`;

test.each([
  ['(?=1)(?<version>\\d+)', outsideRe2('invalid or unsupported Perl syntax: "(?="')],
  ['(?<=v)(?<version>\\d+)', outsideRe2('invalid named capture: "(?<=v)(?<version>"')],
  ['(?<version>\\d)\\1', outsideRe2('invalid escape sequence: "\\1"')],
  ['(?<version>\\d{1,1001})', outsideRe2('invalid repeat count: "{1,1001}"')],
  [
    '(?<version>(?:\\d{1,100}\\.){1,9})',
    'expected a smaller regular expression: its counted repeats multiply, and a long text would keep it busy',
  ],
])('the expression %s is rejected, and why', (pattern, why) => {
  expect(() => compileExpression(pattern)).toThrow(`${pattern}: ${why}`);
});
