/**
 * Compiles regular expressions and version rules of definitions. Not a part of `range.ts`, because RE2 is large and only builds need it.
 */
import Range from 'semver/classes/range.js';
import validRange from 'semver/ranges/valid.js';
import { RE2JS, RE2JSException } from 're2js';
import type { Version } from './version.ts';

export type Pattern = ReturnType<typeof compilePattern>;

/** Compiles a regular expression of a definition. It runs in RE2, as in Renovate, so that every search takes linear time. */
export function compilePattern(text: string) {
  try {
    const program = RE2JS.compile(text);
    const groupNames = Object.keys(program.namedGroups());
    return {
      problem: undefined,
      groupNames,
      test: (subject: string) => program.test(subject),
      /** Yields the named groups of each match. */
      *matchAll(subject: string) {
        const matcher = program.matcher(subject);
        while (matcher.find()) {
          yield Object.fromEntries(
            groupNames.map((name) => [name, matcher.group(name) ?? undefined]),
          );
        }
      },
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) {
      throw error;
    }

    const problem = `expected a regular expression as Renovate reads it (RE2): ${error.message}`;
    const groupNames: string[] = [];
    return { problem, groupNames, test: () => false, matchAll: () => [] };
  }
}

/** Matches Renovate's forms of a regular expression: `/regex/`, `/regex/i`, `!/regex/`. */
const patternForm = /^(!?)\/(.+)\/(i?)$/;

/** Finds the problem of a version rule (`allowedVersions`). A rule is a regular expression between slashes, or a strict semver range. */
export function findRuleProblem(rule: string): string | undefined {
  const pattern = patternForm.exec(rule)?.[2];
  if (pattern !== undefined) {
    return compilePattern(pattern).problem;
  }

  return validRange(rule) === null
    ? 'expected /regex/, !/regex/ or a range of semver such as ">=1.2.0 <2.0.0"'
    : undefined;
}

/**
 * Returns a test for versions. A range is compared only with the first three digit groups of a version: 2025.3 → 2025.3.0, and 2.0.0-rc.1 →
 * 2.0.0. So `>=1.0.0` includes 2.0.0-rc.1, unlike in Renovate. The key `prereleases` says whether the index lists prereleases.
 * - `rule`: a version rule without a problem
 */
export function createRuleTest(rule: string): (version: Version) => boolean {
  const [, negation, pattern, flag] = patternForm.exec(rule) ?? [];
  if (pattern === undefined) {
    const range = new Range(rule);
    return ({ groups: [major, minor = '0', patch = '0'] }) =>
      range.test(`${major}.${minor}.${patch}`);
  }

  const { test } = compilePattern(flag ? `(?i)${pattern}` : pattern);
  return ({ text }) => test(text) !== (negation === '!');
}
