import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  compareVersions,
  maxVersionLength,
  parseVersion,
  rankKey,
  type Version,
} from '../../src/core/model/version.ts';
import { missingCorpus, readCorpus } from '../harness/corpus.ts';
import { importRenovate, isOldest } from './install.ts';
import { covers } from '../harness/covers.ts';

const corpus = readCorpus();
if (!corpus) {
  console.log(missingCorpus);
}

/** Versions are pasted into shells and workflows, so they have no other characters. */
const harmless = /^[A-Za-z0-9._+~!:-]*$/;

/** Parts of Renovate's own versioning (renovatebot/renovate, lib/modules/versioning/loose/index.ts). */
let loose: {
  isVersion(version: string): boolean;
  equals(version: string, other: string): boolean;
  sortVersions(version: string, other: string): number;
};

beforeAll(async () => {
  ({ default: loose } = await importRenovate<{ default: typeof loose }>(
    'modules/versioning/loose/index.js',
  ));
});

describe.skipIf(!corpus)('every version of the corpus', () => {
  const texts = Array.from(corpus ?? []).flatMap(([, releases]) =>
    releases.map(({ version }) => version),
  );

  test('a version of the corpus is valid as in Renovate, unless a character is unsafe', () => {
    expect(texts.length).toBeGreaterThan(90_000);
    const isExpected = (text: string) => harmless.test(text) && loose.isVersion(text);
    expect(texts.filter((text) => (parseVersion(text) !== undefined) !== isExpected(text))).toEqual(
      [],
    );
  });

  test('the versions of the corpus have the order of Renovate', () => {
    const versions = sorted(texts);
    const neighbours = versions
      .slice(1)
      .flatMap((version, index) => difference(versions[index]!, version));
    const others = [97, 1009, 10_007, 40_009].flatMap((step) =>
      versions.flatMap((version, index) =>
        difference(version, versions[(index * 31 + step) % versions.length]!),
      ),
    );

    expect([...neighbours, ...others]).toEqual([]);
  });
});

if (isOldest) {
  console.log('Numbers of 16 digits are left out: the oldest Renovate rounds them.');
}

describe('any version', () => {
  test('any text is a version exactly if it is one in Renovate and safe to paste', () => {
    fc.assert(
      fc.property(fc.oneof(version, hash, almostVersion), (text) => {
        expect(parseVersion(text) !== undefined).toBe(harmless.test(text) && loose.isVersion(text));
      }),
      { numRuns: 5000 },
    );
  });

  test('any two versions compare as in Renovate', () => {
    covers('Calendar and two-segment versions, one loose digit-group order');
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(compareAlike(a, b)).toEqual([]);
      }),
      { numRuns: 20_000 },
    );
  });

  test('two similar versions compare as in Renovate', () => {
    fc.assert(
      fc.property(version, fc.nat(), fc.constantFrom(...edits), (text, at, edit) => {
        const place = at % (text.length + 1);
        const other = text.slice(0, place) + edit + text.slice(place + (at % 2));
        expect(compareAlike(text, other)).toEqual([]);
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([
    ['1.2', 'v1.2'],
    ['V1.02', '1.2'],
    ['1.0', '1.0-rc-1'],
    ['1.0-rc-2', '1.0-rc-10'],
    ['1.0-RC1', '1.0-rc1'],
    ['1..0', '1.0'],
    ['9007199254740993', '9007199254740992'],
    [`1.${'9'.repeat(150)}`, `1.1${'0'.repeat(150)}`],
    ['1.2.3.4.5.6', '1.2.3.4.5.6-1'],
    ['1234567', '123456'],
  ])('%s and %s compare as in Renovate', (a, b) => {
    expect(compareAlike(a, b)).toEqual([]);
  });
});

const digits = fc.oneof(
  { weight: 5, arbitrary: fc.nat({ max: 12 }).map(String) },
  { weight: 1, arbitrary: fc.nat({ max: 3000 }).map(String) },
  { weight: 1, arbitrary: fc.stringMatching(/^0{0,3}\d{1,3}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^\d{15,40}$/) },
  // The greatest exact numbers, and numbers that no longer fit into half of one.
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '67108862',
      '67108863',
      '67108864',
      '9007199254740992',
      '9007199254740993',
    ),
  },
);
const suffix = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('-rc', '-rc-', '.Final', '-M', 'b', '+build.', '_', '-', '.', '-RC'),
        digits,
      )
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
);
const version = fc
  .tuple(
    fc.constantFrom('', '', 'v', 'V'),
    fc.array(digits, { minLength: 1, maxLength: 6 }),
    suffix,
  )
  .map(([prefix, groups, rest]) => prefix + groups.join('.') + rest)
  .filter((text) => text.length <= maxVersionLength);
const hash = fc.stringMatching(/^[0-9a-fA-F]{5,42}$/);
const almostVersion = fc
  .oneof(
    fc.array(digits, { minLength: 5, maxLength: 9 }).map((groups) => groups.join('.')),
    fc.stringMatching(/^[vV]{0,2}[.\-a-z]{0,2}\d{0,2}\.?[a-z]{0,3}$/),
    fc.string({ maxLength: 20 }),
  )
  .filter((text) => text.length <= maxVersionLength);
const edits = ['', '0', '1', '9', '.', '-', 'a', 'v', 'rc', '.0', '00'];

function sorted(texts: readonly string[]): Version[] {
  return texts.flatMap((text) => parseVersion(text) ?? []).toSorted(compareVersions);
}

function compareAlike(a: string, b: string): string[] {
  const [first, second] = [parseVersion(a), parseVersion(b)];
  if (!first || !second || (isOldest && /\d{16}/.test(`${a} ${b}`))) {
    return [];
  }
  return [...difference(first, second), ...difference(second, first)];
}

/** Names the order or the rank of two versions that differs from Renovate. */
function difference(a: Version, b: Version): string[] {
  const ours = Math.sign(compareVersions(a, b));
  const theirs = Math.sign(loose.sortVersions(a.text, b.text));
  const pair = `${JSON.stringify(a.text)}, ${JSON.stringify(b.text)}`;
  const differences: string[] = [];
  if (ours !== theirs) {
    differences.push(`${pair}: ${ours} here, ${theirs} in Renovate`);
  }
  if ((rankKey(a) === rankKey(b)) !== loose.equals(a.text, b.text)) {
    differences.push(`${pair}: not of the same rank here and in Renovate`);
  }
  return differences;
}
