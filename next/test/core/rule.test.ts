import { expect, test } from 'vitest';
import { createRuleTest, findRuleProblem } from '../../src/core/rule.ts';
import { readVersion } from '../../src/core/version.ts';

test.each([
  ['>=1.2 <2', '1.2 v1.9.1 01.02.3 1.2-rc1 1.2.3.4', '1.1 2.0 02.1 20240115123456789.1.5'],
  ['*', '1.2 3-rc1', ''],
  ['1.x || ^3.2', '1.9 3.2.5', '2.0 3.1 4.0'],
  ['/^2025/', '2025.1 2025', '2024.1 v2025'],
  ['!/-jre$/', '33.0 33.0-android', '33.0-jre'],
  ['/RC/i', '1.0-rc1 1.0-RC1', '1.0'],
  ['/RC/', '1.0-RC1', '1.0-rc1'],
])('the rule %s allows %s, and not %s', (rule, allowed, others) => {
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
])('the rule %s is refused: %s', (rule, problem) => {
  expect(findRuleProblem(rule)).toContain(problem);
});
