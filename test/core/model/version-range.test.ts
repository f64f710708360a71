import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareToBound,
  createVersionTest,
  toVers,
  isInRange,
  parseVersionRange,
} from '../../../src/core/model/version-range.ts';
import { parseVersion } from '../../../src/core/model/version.ts';

test.each<[range: string, inside: string[], outside: string[]]>([
  ['4.5', ['4.5', '4.5.0', '4.5.2', '4.5.1-rc1'], ['4.6', '4', '45.0']],
  ['4', ['4', '4.9.1'], ['5.0']],
  ['=4.5', ['4.5', '4.5.0', '4.5-jre'], ['4.5.1', '4.5-rc1']],
  ['>=2026.1.0', ['2026.1', '2026.1.0', '2026.2', '2026.1-eks-1'], ['2025.4', '2026.1-rc1']],
  ['>=1.21.0-eks-1', ['1.21', '1.21.0-eks-1', '1.21.0-eks-2'], ['1.21.0-rc.1', '1.21.0-eks-0']],
  ['<2.0', ['1.9', '2.0-rc1'], ['2.0', '2.0.0', '2.0.Final']],
  ['4.0 || 4.1', ['4.0.3', '4.1'], ['4.2', '3.9']],
  ['>=3.17 <4', ['3.17', '3.19.2'], ['4.0', '3.16.9']],
  ['*', ['1', '2.0-rc'], []],
  ['>2.0', ['2.0.1'], ['2.0', '1.9']],
  ['<=2.0', ['1.9', '2.0', '2.0.0'], ['2.0.1']],
  ['1.0', ['1', '1.0.3'], ['1.1']],
  ['4.5.1', ['4.5.1'], ['4.5.1.2', '4.5.2']],
  ['4.5-rc1', ['4.5-rc1'], ['4.5', '4.5.1']],
])('%s includes what its publisher means', (text, inside, outside) => {
  const range = parseVersionRange(text)!;
  const isIn = (version: string) => isInRange(range, parseVersion(version)!);

  expect(inside.filter((version) => !isIn(version))).toEqual([]);
  expect(outside.filter(isIn)).toEqual([]);
});

test.each(['', '>=', '> =1', '> >1', '>=1 < =2', '1 ||', '=>1', '>=1<2', '^1', '1 - 2', '1, 2'])(
  '"%s" is no range',
  (text) => {
    expect(parseVersionRange(text)).toBeUndefined();
  },
);

test('spaces may stand behind a sign', () => {
  expect(parseVersionRange('>=  1.2 <\t2')).toEqual(parseVersionRange('>=1.2 <2'));
});

test('what is below a version is below all that is above that version', () => {
  const anyVersion = fc
    .tuple(
      fc.constantFrom('1', '1.0', '1.1'),
      fc.constantFrom('', '-rc.1', '-rc.2', '-eks-1', '-eks-2', '.Final'),
    )
    .map((parts) => parseVersion(parts.join(''))!);

  fc.assert(
    fc.property(anyVersion, anyVersion, anyVersion, (low, middle, high) => {
      expect(Math.sign(compareToBound(low, high))).toBe(-Math.sign(compareToBound(high, low)) || 0);

      fc.pre(compareToBound(low, middle) < 0 && compareToBound(middle, high) < 0);
      expect(compareToBound(low, high)).toBeLessThan(0);
    }),
    { maxSkipsPerRun: 10_000 },
  );
});

test.each([
  ['4.5', 'vers:generic/>=4.5|<4.6'],
  ['=4.5', 'vers:generic/4.5'],
  ['>=1.0 <=2.0', 'vers:generic/>=1.0|<=2.0'],
  ['>=2025.1 <2027.1', 'vers:generic/>=2025.1|<2027.1'],
  ['>=3 || 1.2', 'vers:generic/>=1.2|<1.3|>=3'],
  ['4.0 || 4.0.1 || >=4.1 <5', 'vers:generic/>=4.0|<5'],
  ['<2 || >=1', 'vers:generic/*'],
  ['<2 || >2', 'vers:generic/<2|>2'],
  ['<=2 || >2', 'vers:generic/*'],
  ['<2 || <=2', 'vers:generic/<=2'],
  ['<3 || <2', 'vers:generic/<3'],
  ['>1 || >=1', 'vers:generic/>=1'],
  ['>=1 >1 <4 <=4 <3 >0', 'vers:generic/>1|<3'],
  ['<=4 <4', 'vers:generic/<4'],
  ['=2 || >2 <3', 'vers:generic/>=2|<3'],
  ['>=1 <3 || >=1.5 <2', 'vers:generic/>=1|<3'],
  ['>3 <2 || =1', 'vers:generic/1'],
  ['=1-rc+1', 'vers:generic/1-rc%2B1'],
  ['>=1.0.0 <=1.0', 'vers:generic/1.0.0'],
  ['<1.0 || >=1.0.0', 'vers:generic/*'],
  ['*', 'vers:generic/*'],
  [`1.${'9'.repeat(198)}`, `vers:generic/>=1.${'9'.repeat(198)}|<1.1${'0'.repeat(198)}`],
])('%s is %s as a VERS string', (range, vers) => {
  expect(toVers(parseVersionRange(range)!)).toBe(vers);
});

test.each([
  [
    ['1.0', 'v2.0'],
    ['v1.0', '2.0', 'latest', '1.1'],
    [true, true, false, false],
  ],
  ['>=1.0', ['1.0.0', '0.9', 'latest'], [true, false, false]],
])('of %j, the versions %j are selected: %j', (selected, versions, expected) => {
  expect(versions.map(createVersionTest(selected))).toEqual(expected);
});
