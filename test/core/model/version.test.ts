import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareVersions,
  createReleaseLineFinder,
  findNewestRelease,
  parseVersion,
  rankKey,
  nameReleaseLine,
  shorten,
  sortVersions,
  type Version,
} from '../../../src/core/model/version.ts';

function parse(text: string): Version {
  const version = parseVersion(text);
  if (!version) {
    throw new Error(`${text} has no place in the version order`);
  }
  return version;
}

/** The order as its definition reads, a second time. */
const form = /^[vV]?(\d+(?:\.\d+)*)(.*)$/;
const suffixOrder = new Intl.Collator('en-US', { numeric: true });

function parsePlainly(text: string): { groups: bigint[]; suffix: string } | undefined {
  if (!/^[\w.+~!:-]*$/.test(text)) {
    return undefined;
  }
  if (/^[a-f0-9]{7,40}$/.test(text) && !/^\d+$/.test(text)) {
    return undefined;
  }
  const match = form.exec(text);
  const groups = match?.[1]!.split('.').map(BigInt);
  return groups && groups.length <= 6 && text.length <= 200
    ? { groups, suffix: match![2]! }
    : undefined;
}

function comparePlainly(left: string, right: string): number {
  const [a, b] = [parsePlainly(left)!, parsePlainly(right)!];
  for (let index = 0; index < Math.max(a.groups.length, b.groups.length); index += 1) {
    const [x, y] = [a.groups[index] ?? -1n, b.groups[index] ?? -1n];
    if (x !== y) {
      return x < y ? -1 : 1;
    }
  }
  if (a.suffix === b.suffix) {
    return 0;
  }
  if (a.suffix === '' || b.suffix === '') {
    return a.suffix === '' ? 1 : -1;
  }
  return Math.sign(suffixOrder.compare(a.suffix, b.suffix));
}

const digits = fc.oneof(
  fc.nat(12).map(String),
  fc.nat(3000).map(String),
  // Around the greatest integer that a number holds exactly, and far beyond it.
  fc.constantFrom(
    '00',
    '007',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '9'.repeat(20),
  ),
);
const suffixes = '-rc-2 -rc-10 -rc.02 -rc02 -rc_2 -RC-2 +build .Final .dev4 - . a b1 -\n é'.split(
  ' ',
);
const suffix = fc.oneof(
  fc.constant(''),
  fc.constantFrom(...suffixes, ' CU4', '  CU4', ' '),
  fc.string({ maxLength: 6, unit: 'grapheme' }),
  fc.stringMatching(/^[\w.+~!: -]{1,6}$/),
);
const text = fc
  .tuple(
    fc.constantFrom('', '', '', 'v', 'V', 'vv', ' '),
    fc.array(digits, { maxLength: 8 }).map((groups) => groups.join('.')),
    suffix,
  )
  .map((parts) => parts.join(''));
const accepted = text.filter((one) => parsePlainly(one) !== undefined);

test('the version order accepts what its form accepts and nothing else', () => {
  const anything = fc.oneof(
    text,
    fc.string(),
    fc.stringMatching(/^[a-f0-9]{6,41}$/),
    fc.stringMatching(/^\d{150,210}$/),
  );
  fc.assert(
    fc.property(anything, (one) => {
      expect(parseVersion(one)?.suffix).toBe(parsePlainly(one)?.suffix);
    }),
    { numRuns: 5000 },
  );
});

test('the version order is that of digit groups and suffixes, and equal ranks have one key', () => {
  fc.assert(
    fc.property(accepted, accepted, (left, right) => {
      const [a, b] = [parse(left), parse(right)];
      const expected = comparePlainly(left, right);

      expect(Math.sign(compareVersions(a, b))).toBe(expected);
      expect(rankKey(a) === rankKey(b)).toBe(expected === 0);
    }),
    { numRuns: 5000 },
  );
});

test('any shuffle of a list of versions is sorted to the same list, with the same members', () => {
  const shuffled = fc
    .array(accepted.map(parse), { maxLength: 30 })
    .chain((versions) =>
      fc.tuple(
        fc.constant(versions),
        fc.shuffledSubarray(versions, { minLength: versions.length }),
      ),
    );
  fc.assert(
    fc.property(shuffled, ([versions, others]) => {
      const [one, other] = [versions, others].map((all) =>
        all.toSorted(compareVersions).map(rankKey),
      );
      expect(other).toEqual(one);
      expect(one!.toSorted()).toEqual(versions.map(rankKey).toSorted());
    }),
  );
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
  ['', 'no leading digits'],
  ['-1.0', 'no leading digits'],
  ['1.2.3.4.5.6.7', 'seven groups'],
  ['2025abc', 'a hex string of 7 characters'],
  ['0123456789abcdef0123456789abcdef01234567', 'a hex string of 40 characters'],
  ['1'.repeat(201), 'longer than any version'],
  ['1.0-\u001b[31m', 'a control character'],
  ['1.0 ', 'a space at the end'],
  ['1.2 evil-package', 'two arguments of a command'],
  ['1.2\u00a0x', 'a space that does not break'],
  ['2026.9;curl${IFS}x|sh', 'a command'],
  ['2026.9`id`', 'a command'],
  ['2026.9{{env.X}}', 'a template'],
  ['2026.9%0a::add-mask::x', 'a command of a workflow'],
  ['2026.9<b>', 'a tag'],
  ['2026.9/../x', 'a path'],
  ['2026.9 @org/team', 'a mention'],
  ['2026.9\u200b', 'a character without width'],
  ['2026.9\u202e', 'a character that turns the text round'],
  ['2026.9\u0430', 'a Cyrillic letter'],
  ['2026.9\ud800', 'half of a character'],
])('%j has no place in the version order: %s', (text) => {
  expect(parseVersion(text)).toBeUndefined();
});

test.each([
  ['2025.3', 2, '2025.3'],
  ['2025.3.1', 2, '2025.3'],
  ['v2025.03-rc-1', 2, '2025.3'],
  ['2025.3.1', 1, '2025'],
  ['7', 2, '7'],
  ['7-rc1', 1, '7'],
] as const)('%s with %i digit groups belongs to the line %s', (text, groups, line) => {
  expect(nameReleaseLine(parse(text), groups)).toBe(line);
});

test.each([
  ['1.2.0', '1.2'],
  ['1.0.0', '1.0'],
  ['1.2.1', '1.2.1'],
  ['1.2', '1.2'],
  ['1.0', '1.0'],
  ['1.2.0.1', '1.2.0.1'],
  ['1.2.3.0', '1.2.3.0'],
])('%s is %s in short', (text, short) => {
  expect(shorten(parse(text)).groups.join('.')).toBe(short);
});

test.each([
  [['24.04', '25'], '24.4.1', '24.04'],
  [['24.04', '25'], '24.10', undefined],
  [['24.04', '25'], '25.3.1', '25'],
  [['24.04', '25', '25.3'], '25.3.1', '25.3'],
  [['24.04', '25', '25.3'], '25.4', '25'],
  [['rolling'], '25.3.1', undefined],
  [[], '25.3.1', undefined],
])('among the lines %j, %s belongs to %s', (names, version, line) => {
  expect(createReleaseLineFinder(names)(parse(version))).toBe(line);
});

test('versions of releases are sorted, without texts that are no version', () => {
  const releases = [{ version: '1.10' }, { version: 'nightly' }, { version: '1.9' }];

  expect(sortVersions(releases).map(({ text }) => text)).toEqual(['1.9', '1.10']);
});

test('the newest release of a line is stable where it has a stable one', () => {
  const find = (...versions: string[]) =>
    findNewestRelease(versions.map((version) => ({ version, isPrerelease: version.includes('-') })))
      ?.version;

  expect(find('1.0', '1.0.1', '1.0.2-rc1')).toBe('1.0.1');
  expect(find('1.0-rc1', '1.0-rc2', '1.0-rc3')).toBe('1.0-rc3');
  expect(find()).toBeUndefined();
});
