import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { matchBelow, matchUpTo } from '../../../src/site/renovate/version-bounds.ts';

/** Tells whether the whole text matches a pattern, as Renovate asks RE2. */
function matches(pattern: string, text: string): boolean {
  return RE2JS.compile(`^(?:${pattern})$`).matches(text);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let place = 0; place < Math.max(a.length, b.length); place += 1) {
    const difference = (a[place] ?? 0) - (b[place] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

const number = fc.oneof(fc.nat(3), fc.nat(30), fc.nat(3000));
const groups = fc.array(number, { minLength: 1, maxLength: 4 });

test('a pattern matches exactly the versions below a version', () => {
  fc.assert(
    fc.property(groups, groups, (bound, version) => {
      const pattern = matchBelow(bound.join('.'));

      expect(matches(pattern, version.join('.'))).toBe(compare(version, bound) < 0);
    }),
    { numRuns: 1000 },
  );
});

test('a pattern matches exactly the versions up to a line', () => {
  fc.assert(
    fc.property(groups, groups, (line, version) => {
      const after = [...line.slice(0, -1), line.at(-1)! + 1];

      expect(matches(matchUpTo(line.join('.')), version.join('.'))).toBe(
        compare(version, after) < 0,
      );
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['17.3', '17.2.8-ee.0', true],
  ['17.3', '17-alpine', true],
  ['17.3', '17.GA', true],
  ['17.3', '017.02', true],
  ['17.3', '17.3.0-rc1', false],
  ['17.3', '17.30', false],
  ['17.3', '170', false],
  ['18.0', '18-alpine', false],
  ['1.0.1', '1.0', true],
])('the pattern for versions below %s, asked about %s: %s', (bound, version, isBelow) => {
  expect(matches(matchBelow(bound), version)).toBe(isBelow);
});
