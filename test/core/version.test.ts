import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareGroups,
  compareVersions,
  countLineGroups,
  createLineFinder,
  findNewest,
  isPrereleaseForm,
  keyRelease,
  keyVersion,
  nameLine,
  parseVersion,
  readVersion,
} from '../../src/core/version.ts';
import { versionText } from '../harness/versions.ts';

const ascending = [
  '1-rc1 1 1.0-rc-2 1.0-rc-10 1.0 1.0.0 1.0.1 1.2.3.4.5.6-1 1.2.3.4.5.6',
  '1.9 1.10 1.10.0 2 2025.3 2025.3.0 2025.3.1',
  '1.0-alpha 1.0-beta 1.0-rc 1.0',
  '9007199254740992.1 9007199254740993.0',
].map((line) => line.split(' ').map(readVersion));

test.each(ascending)(
  'compareVersions sorts versions in ascending order: $text and newer versions',
  (...versions) => {
    const shuffled = [...versions].reverse();

    expect(shuffled.sort(compareVersions)).toEqual(versions);
  },
);

test.each([
  ['v2025.2', '2025.2'],
  ['2025.02', '2025.2'],
  ['V1.0-rc-01', '1.0-rc-1'],
])('gives %s and %s the same rank', (a, b) => {
  expect(compareVersions(readVersion(a), readVersion(b))).toBe(0);
  expect(keyVersion(readVersion(a))).toBe(keyVersion(readVersion(b)));
});

test.each([
  ['1.2.0', '1.2', true],
  ['v1.02.0-rc1', '1.2-rc01', true],
  ['1.2.0.1', '1.2.0', false],
  ['1.0', '1', false],
  ['1.12', '11.2', false],
])(
  'spellings of the same release have the same release key: %s and %s, same key %s',
  (a, b, isSame) => {
    expect(keyRelease(readVersion(a)) === keyRelease(readVersion(b))).toBe(isSame);
  },
);

test.each([
  ...['', '-1.0', '1.2.3.4.5.6.7', '2025abc', '0123456789abcdef0123456789abcdef01234567'],
  ...['1'.repeat(201), '1'.repeat(51), `1.${'1'.repeat(51)}-rc`],
  ...['1.0-\u001b[31m', '2026.9;curl${IFS}x|sh', '2026.9`id`', '2026.9{{env.X}}', '2026.9<b>'],
  ...['2026.9%0a::add-mask::x', '2026.9/../x', '2026.9\u202e', '2026.9\u0430', '2026.9 @org'],
])('rejects %j as a version', (text) => {
  expect(parseVersion(text)).toBeUndefined();
});

const version = versionText.map(parseVersion).filter((parsed) => parsed !== undefined);

test('compareVersions orders all versions consistently', () => {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      const order = compareVersions(a, b);
      expect(Math.sign(order)).toBe(-Math.sign(compareVersions(b, a)) || 0);
      expect(order === 0).toBe(keyVersion(a) === keyVersion(b));

      fc.pre(order <= 0 && compareVersions(b, c) <= 0);
      expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
    }),
    { numRuns: 500, maxSkipsPerRun: 10_000 },
  );
});

test.each([
  [['24.04', '25'], '24.4.1', '24.04'],
  [['24.04', '25'], '24.10', undefined],
  [['24.04', '25', '25.3'], '25.3.1', '25.3'],
  [['24.04', '25', '25.3'], '25.4', '25'],
  [['1', '1.1', '1.1.1'], '1.1.1.1', '1.1.1'],
  [['1.0.2', '1.1', '1'], '1.0.2zh', '1.0.2'],
  [['1.0.2', '1.1', '1'], '1.0.20', '1'],
  [['1.0.2.1', '1.0.2'], 'v01.00.2', '1.0.2'],
  [[], '25.3.1', undefined],
])('of the release lines %j, the version %s belongs to %s', (names, text, line) => {
  expect(createLineFinder(names)(readVersion(text))).toBe(line);
});

test.each<[text: string, rule: 1 | 2 | 'semver', line: string]>([
  ['2025.03.1', 2, '2025.3'],
  ['2025.03.1', 1, '2025'],
  ['1.2.3', 'semver', '1'],
  ['0.2.3', 'semver', '0.2'],
  ['0', 'semver', '0'],
])('by the rule %2$s, the version %1$s belongs to the line %3$s', (text, rule, line) => {
  const version = readVersion(text);

  expect(nameLine(version, countLineGroups(version, rule))).toBe(line);
});

test.each([
  ['1.2.3', '1.2.4', 2, 0],
  ['1.2.3', '1.2.4', 3, -1],
  ['1.2', '1.2.0', 3, 0],
  ['1.10', '1.9', 2, 1],
  ['2.1', '1.9', 1, 1],
])('compareGroups compares %s with %s by the first %i groups: %i', (a, b, size, expected) => {
  expect(Math.sign(compareGroups(readVersion(a), readVersion(b), size))).toBe(expected);
});

const prereleases =
  '1.0-alpha.1 1.0-beta2 1.0b1 1.0a2 2025.1-rc-1 1.0rc1 1.0-CR1 1.0-M3 1.0-SNAPSHOT 1.0.dev4 1.0-pre 1.0-preview ' +
  '1.0-eap 1.0-canary 1.0-nightly 1.0-next 1.0.0-rc.1+build.5 v1.0-RC1 1.0.Beta1 1.0-SNAPSHOT-20250101 1.0c1 1.0-sNaPsHoT 1.0-2-rc1 8u20-ea-b1';
const stable =
  '1.0 2025.3.1 v1.0 33.0-jre 5.6.Final 3.2.RELEASE 1.0-alpine 1.0-android 1.0.2b 8.5p1 1.0+build.1 1.0.0+rc.1 ' +
  '1.0-1 1.0.GA 1.0-SP1 1.0-arm64 1.0-bookworm 1.0-windows 1.0-slim 1.0-jdk11 1.0-preciousmetal ' +
  '8u502-b07 8u392-b08-jdk 1.8.0_392-b08 7u80-b15 1.0-2b1 9.4.53.v20231009-c2';

test('recognises a prerelease by the word in its suffix', () => {
  const isPrerelease = (text: string) => isPrereleaseForm(readVersion(text));

  expect(prereleases.split(' ').filter((text) => !isPrerelease(text))).toEqual([]);
  expect(stable.split(' ').filter(isPrerelease)).toEqual([]);
});

test('findNewest returns a stable release if the list has one', () => {
  const find = (...texts: string[]) =>
    findNewest(texts.map((text) => ({ text, isPrerelease: text.includes('-') })))?.text;

  expect(find('1.0', '1.0.1', '1.0.2-rc1')).toBe('1.0.1');
  expect(find('1.0-rc1', '1.0-rc2')).toBe('1.0-rc2');
  expect(find()).toBeUndefined();
});
