import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareVersions, parseVersion, rankKey, releaseLine, type Version } from '../../src/core/version.ts';

function parse(text: string): Version {
  const version = parseVersion(text);
  if (!version) throw new Error(`${text} has no place in the version order`);
  return version;
}

function sorted(texts: readonly string[]): string[] {
  return texts
    .map(parse)
    .sort(compareVersions)
    .map(({ text }) => text);
}

const group = fc.oneof(
  fc.nat({ max: 30 }).map(String),
  fc.nat({ max: 12 }).map((number) => `0${number}`),
  fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
);
const suffix = fc.oneof(
  fc.constant(''),
  fc.constantFrom(
    '-rc-1',
    '-rc-2',
    '-rc-10',
    '-rc01',
    'b1',
    '.dev4',
    '-SNAPSHOT',
    '+build.1',
    '-RC-1',
    '.Final',
  ),
  fc.stringMatching(/^[\w.+~!:-]{1,6}$/),
);
const version = fc
  .tuple(fc.constantFrom('', 'v', 'V'), fc.array(group, { minLength: 1, maxLength: 6 }), suffix)
  .map(([lead, groups, end]) => parseVersion(`${lead}${groups.join('.')}${end}`))
  .filter((parsed) => parsed !== undefined);

describe('the order is total', () => {
  test('a version equals itself, and two compare the same from both sides', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(compareVersions(a, a)).toBe(0);
        expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)));
      }),
    );
  });

  test('it is transitive', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const [low, middle, high] = [a, b, c].sort(compareVersions) as [Version, Version, Version];
        expect(compareVersions(low, middle)).toBeLessThanOrEqual(0);
        expect(compareVersions(middle, high)).toBeLessThanOrEqual(0);
        expect(compareVersions(low, high)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test('two versions have one key exactly if they are of equal rank', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(rankKey(a) === rankKey(b)).toBe(compareVersions(a, b) === 0);
      }),
      {
        numRuns: 2000,
        examples: [
          [parse('1.0-rc01'), parse('1.0-rc1')],
          [parse('1.0-rc_1'), parse('1.0-rc-1')],
          [parse('1.0-RC'), parse('1.0-rc')],
        ],
      },
    );
  });

  test('any shuffle of a list gives the same list, with the same members', () => {
    const list = fc.array(version, { maxLength: 30 });
    const shuffled = list.chain((versions) =>
      fc.tuple(fc.constant(versions), fc.shuffledSubarray(versions, { minLength: versions.length })),
    );
    fc.assert(
      fc.property(shuffled, ([versions, others]) => {
        const [one, other] = [versions, others].map((all) => all.toSorted(compareVersions).map(rankKey));
        expect(other).toEqual(one);
        expect(one!.toSorted()).toEqual(versions.map(rankKey).toSorted());
      }),
    );
  });
});

describe('the examples of the order', () => {
  test.each([
    ['a shorter prefix is smaller', ['2025.3', '2025.3.0', '2025.3.1', '2025.10']],
    ['groups compare as numbers', ['1.9', '1.10', '1.99999999999999999998', '1.99999999999999999999']],
    [
      'calendar and two-segment versions go together',
      ['0.10.1', '13.1', '21.2', '2024.2', '2025.3', '2026.1'],
    ],
    [
      'a suffix sorts below none, and compares numeric-aware',
      ['2025.1-eap2', '2025.1-rc-1', '2025.1-rc-2', '2025.1-rc-10', '2025.1', '2025.1.0'],
    ],
    ['the letter v says nothing', ['v1.0', '1.1', 'V1.2', 'v1.10']],
  ])('%s', (_rule, ordered) => {
    expect(sorted(ordered.toReversed())).toEqual(ordered);
  });

  test.each([
    ['v2025.2', '2025.2'],
    ['2025.02', '2025.2'],
    ['V1.0-rc-01', '1.0-rc-1'],
  ])('%s and %s are of equal rank', (a, b) => {
    expect(compareVersions(parse(a), parse(b))).toBe(0);
    expect(rankKey(parse(a))).toBe(rankKey(parse(b)));
  });

  test.each([
    ['latest', 'no leading digits'],
    ['', 'no leading digits'],
    ['-1.0', 'no leading digits'],
    ['vv1.0', 'no leading digits'],
    ['1.2.3.4.5.6.7', 'seven groups'],
    ['2025abc', 'a hex string of 7 characters'],
    ['0123456789abcdef0123456789abcdef01234567', 'a hex string of 40 characters'],
    ['1'.repeat(201), 'longer than any version'],
    ['1.0-\u001b[31m', 'a control character'],
    ['1.0\t', 'a control character'],
    ['1.0 ', 'a space at the end'],
    ['2402 CU4', 'two arguments of a command'],
    ['1.2 evil-package', 'two arguments of a command'],
    ['1.2 --privileged', 'two arguments of a command'],
    ['1.2: x', 'a pair of YAML'],
    ['1.2\u00a0x', 'a space that does not break'],
    ['2026.9;curl${IFS}x|sh', 'a command'],
    ['2026.9$(id)', 'a command'],
    ['2026.9`id`', 'a command'],
    ['2026.9{{env.X}}', 'a template'],
    ['2026.9%0a::add-mask::x', 'a command of a workflow'],
    ['2026.9<b>', 'a tag'],
    ['2026.9/../x', 'a path'],
    ['2026.9 @org/team', 'a mention'],
    ['2026.9\u200b', 'a character without width'],
    ['2026.9\u202e', 'a character that turns the text round'],
    ['2026.9\ufeff', 'a byte order mark'],
    ['2026.9\u0430', 'a Cyrillic letter'],
    ['2026.9\ud800', 'half of a character'],
  ])('%s has no place in it: %s', (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });

  test.each([
    ['1.2.3.4.5.6', 'six groups'],
    ['20250101', 'eight digits'],
    ['123abc', 'a hex string of 6 characters'],
    ['2025ABC', 'capital letters'],
    [`${'1'.repeat(41)}a`, 'a hex string of 42 characters'],
    ['1', 'one group'],
    ['1.0~beta1+dfsg-1ubuntu2', 'the marks of Debian'],
    ['1.0!2:3_4', 'the other marks'],
  ])('%s has a place in it: %s', (text) => {
    expect(parseVersion(text)?.text).toBe(text);
  });
});

test.each([
  ['2025.3', 2, '2025.3'],
  ['2025.3.1', 2, '2025.3'],
  ['v2025.03-rc-1', 2, '2025.3'],
  ['2025.3.1', 1, '2025'],
  ['7', 2, '7'],
  ['7-rc1', 1, '7'],
] as const)('%s with %i digit groups belongs to the line %s', (text, groups, line) => {
  expect(releaseLine(parse(text), groups)).toBe(line);
});
