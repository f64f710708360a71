import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareToBound,
  createVersionSearch,
  createVersionTest,
  isInRange,
  isMistyped,
  parseRange,
} from '../../src/core/range.ts';
import { parseVersion, readVersion } from '../../src/core/version.ts';
import { versionText } from '../harness/versions.ts';

test.each<[range: string, inside: string, outside: string]>([
  ['4.5', '4.5 4.5.0 4.5.2 4.5.1-rc1', '4.6 4 45.0'],
  ['4.5.x', '4.5 4.5.7', '4.6'],
  ['=4.5', '4.5 4.5.0 4.5-jre', '4.5.1 4.5-rc1 4.5-sp1'],
  ['>=2026.1.0', '2026.1 2026.1.0 2026.2 2026.1-eks-1', '2025.4 2026.1-rc1'],
  ['>=1.21.0-eks-1', '1.21 1.21.0-eks-1 1.21.0-eks-2', '1.21.0-rc.1 1.21.0-eks-0'],
  ['<2.0', '1.9 2.0-rc1', '2.0 2.0.0 2.0.Final'],
  ['4.0 || 4.1', '4.0.3 4.1', '4.2 3.9'],
  ['*', '1 2.0-rc', ''],
  ['4.5.1', '4.5.1', '4.5.1.2 4.5.2'],
  ['4.5-rc1', '4.5-rc1', '4.5 4.5.1'],
  ['>=  1.2 <\t2', '1.2 1.9', '1.1 2'],
  ['<1.9.0.post1', '1.9.0 1.9.0a1', '1.9.0.post1 1.9.0.post2 1.9.1'],
  ['<1.0.2k', '1.0.2 1.0.2j 1.0.2-rc1', '1.0.2k 1.0.2zb 1.0.3'],
  ['>8.4 <9', '8.4p1 8.4-patch2 8.5', '8.4 8.4-alpine 9'],
])('the range %s includes %s, but not %s', (text, inside, outside) => {
  const range = parseRange(text)!;
  const isIn = (version: string) => isInRange(range, readVersion(version));

  expect(inside.split(' ').filter((version) => !isIn(version))).toEqual([]);
  expect(outside.split(' ').filter(Boolean).filter(isIn)).toEqual([]);
});

test.each([
  ...['', '>=', '> =1', '> >1', '>=1 < =2', '1 ||', '=>1', '>=1<2', '^1', '1 - 2', '1, 2'],
  ...['2.O.0', '>=1 <2.O', '1.2+', '1.2.', '>=1.x', 'latest'],
])('rejects the range "%s"', (text) => {
  expect(parseRange(text)).toBeUndefined();
});

test('isMistyped finds a version with a letter in place of a digit', () => {
  expect(['2.O.0', '1.l', '1a.2', '1.2+', '1.2.'].map(isMistyped)).toEqual(Array(5).fill(true));
  expect(['2.0', '1.0b1', '5.6.Final', '1.0-x.1', '1.0+a'].map(isMistyped)).toEqual(
    Array(5).fill(false),
  );
});

test('every version below a bound is older than every version above it', () => {
  const anyVersion = fc
    .tuple(
      fc.constantFrom('1', '1.0', '1.1'),
      fc.constantFrom('', '-rc.1', '-rc.2', '-eks-1', '-eks-2', '.Final', '.post1', 'p2', 'k'),
    )
    .map((parts) => readVersion(parts.join('')));

  fc.assert(
    fc.property(anyVersion, anyVersion, anyVersion, (low, middle, high) => {
      expect(Math.sign(compareToBound(low, high))).toBe(-Math.sign(compareToBound(high, low)) || 0);

      fc.pre(compareToBound(low, middle) < 0 && compareToBound(middle, high) < 0);
      expect(compareToBound(low, high)).toBeLessThan(0);
    }),
    { maxSkipsPerRun: 10_000 },
  );
});

test('createVersionSearch finds exactly the versions in a range', () => {
  // Many of these versions are equal, or differ only in their suffixes.
  const similarText = fc
    .tuple(
      fc.constantFrom('1', '1.0', '01.0.0', '1.0.1', '1.1', '2'),
      fc.constantFrom('', '', '-rc.1', '-rc.2', '-eks-1', '-eks-02', '.Final', '.post1', 'p2', 'k'),
    )
    .map((parts) => parts.join(''));
  const anyText = fc
    .oneof({ weight: 3, arbitrary: similarText }, versionText)
    .filter((text) => parseVersion(text) !== undefined);
  const comparison = fc
    .tuple(fc.constantFrom('<', '<=', '>', '>=', '=', ''), anyText)
    .map((parts) => parts.join(''));
  const alternative = fc
    .array(fc.oneof({ weight: 5, arbitrary: comparison }, fc.constant('*')), {
      minLength: 1,
      maxLength: 3,
    })
    .map((words) => words.join(' '));
  const anyRange = fc
    .array(alternative, { minLength: 1, maxLength: 4 })
    .map((alternatives) => parseRange(alternatives.join(' || ')))
    .filter((range) => range !== undefined);

  fc.assert(
    fc.property(
      fc.uniqueArray(anyText, { maxLength: 30 }),
      fc.array(anyRange, { minLength: 1, maxLength: 10 }),
      (texts, ranges) => {
        const versions = texts.map(readVersion);
        const listInRange = createVersionSearch(versions);
        for (const range of ranges) {
          const listed = listInRange(range);

          expect(listed).toHaveLength(new Set(listed).size);
          expect(new Set(listed)).toEqual(
            new Set(versions.filter((version) => isInRange(range, version))),
          );
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('createVersionTest selects versions by a list of versions, or by a range', () => {
  const select = (selected: string | string[]) =>
    ['v1.0', '2.0', '1.1', '1.0.0'].filter((text) =>
      createVersionTest(selected)(readVersion(text)),
    );

  expect(select(['1.0', 'v2.0'])).toEqual(['v1.0', '2.0']);
  expect(select('<=1.0')).toEqual(['v1.0', '1.0.0']);
});
