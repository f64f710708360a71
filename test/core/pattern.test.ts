import { expect, test } from 'vitest';
import { compilePattern, createRuleTest, findRuleProblem } from '../../src/core/pattern.ts';
import { readSettings, requireDefinitions } from '../../src/core/read-definitions.ts';
import { readVersion } from '../../src/core/version.ts';
import { exampleRoot } from '../harness/example.ts';

const definitions = requireDefinitions(exampleRoot, readSettings(exampleRoot));
const sources = [...definitions.values()].flatMap((definition) => definition.sources);
const matchStrings = new Set(
  sources.flatMap((source) => ('matchStrings' in source ? source.matchStrings! : [])),
);
const [first = ''] = matchStrings;

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

test.each([...matchStrings])(
  'the pattern %s has the same matches with RE2 as in JavaScript',
  (text) => {
    const ours = [...compilePattern(`(?m)${text}`).matchAll(history)];
    const theirs = Array.from(history.matchAll(new RegExp(text, 'gm')), ({ groups }) => ({
      ...groups,
    }));

    expect(ours).toEqual(theirs);
    expect(ours.length).toBeGreaterThan(2);
  },
);

// A page of this size would take minutes with a regular expression engine that uses backtracking.
const size = 256 * 1024;

test.each([
  ['a heading and 256 KiB of blanks', `## 1.1${' '.repeat(size)}`, 1],
  ['ten thousand releases', '## 1.1\n\n1st May 2026\n'.repeat(10_000), 10_000],
])('a pattern matches a long hostile page without a timeout: %s', (_name, page, count) => {
  expect([...compilePattern(`(?m)${first}`).matchAll(page)]).toHaveLength(count);
});

const byRe2 = 'expected a regular expression as Renovate reads it (RE2): error parsing regexp: ';

test.each([
  ['(?=1)(?<version>\\d+)', `${byRe2}invalid or unsupported Perl syntax`],
  ['(?<version>\\d)\\1', `${byRe2}invalid escape sequence`],
])('rejects the pattern %s, and says why', (text, problem) => {
  expect(compilePattern(text).problem).toContain(problem);
});

test.each([
  ['>=1.2 <2', '1.2 v1.9.1 01.02.3 1.2-rc1 1.2.3.4', '1.1 2.0 02.1 20240115123456789.1.5'],
  ['*', '1.2 3-rc1', ''],
  ['1.x || ^3.2', '1.9 3.2.5', '2.0 3.1 4.0'],
  ['/^2025/', '2025.1 2025', '2024.1 v2025'],
  ['!/-jre$/', '33.0 33.0-android', '33.0-jre'],
  ['/RC/i', '1.0-rc1 1.0-RC1', '1.0'],
  ['/RC/', '1.0-RC1', '1.0-rc1'],
])('the allowedVersions rule %s allows %s, but not %s', (rule, allowed, others) => {
  const isAllowed = createRuleTest(rule);
  const select = (texts: string) => texts.split(' ').filter(Boolean).map(readVersion);

  expect(findRuleProblem(rule)).toBeUndefined();
  expect(select(allowed).filter((version) => !isAllowed(version))).toEqual([]);
  expect(select(others).filter(isAllowed)).toEqual([]);
});

const expected = 'expected /regex/, !/regex/ or a range of semver such as ">=1.2.0 <2.0.0"';

test.each([
  ['>=1.0.0 <2.O.0', expected],
  ['//', expected],
  ['/a/g', expected],
  ['/(/', 'expected a regular expression as Renovate reads it (RE2): '],
])('rejects the allowedVersions rule %s: %s', (rule, problem) => {
  expect(findRuleProblem(rule)).toContain(problem);
});
