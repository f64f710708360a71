import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  compareVersions,
  maxVersionLength,
  parseVersion,
  rankKey,
  type Version,
} from '../../src/core/version.ts';
import { importRenovate } from '../renovate/install.ts';

/** Versions are pasted into shells and workflows, so they have no other characters. */
const harmless = /^[A-Za-z0-9._+~!:-]*$/;

/** Parts of Renovate's own versioning (renovatebot/renovate, lib/modules/versioning/loose/index.ts). */
interface Loose {
  isVersion(version: string): boolean;
  equals(version: string, other: string): boolean;
  sortVersions(version: string, other: string): number;
}
let loose: Loose;

beforeAll(async () => {
  ({ default: loose } = await importRenovate<{ default: Loose }>(
    'modules/versioning/loose/index.js',
  ));
});

const corpus = resolve(import.meta.dirname, '../fixtures/corpus/releases.json.gz');
const products = JSON.parse(gunzipSync(readFileSync(corpus)).toString()) as Record<string, object>;
const texts = Object.values(products).flatMap((releases) => Object.keys(releases));

test('a real version is accepted as in Renovate, unless a character is unsafe', () => {
  const accepted = texts.filter((text) => parseVersion(text) !== undefined);
  const theirs = texts.filter((text) => loose.isVersion(text));

  expect(accepted).toEqual(theirs.filter((text) => harmless.test(text)));
  expect([texts.length, theirs.length, accepted.length]).toEqual([99_322, 98_188, 98_184]);
});

test('real versions have the order of Renovate', () => {
  const versions = texts.flatMap((text) => parseVersion(text) ?? []).toSorted(compareVersions);
  const others = (index: number) => [index + 1, index * 31 + 1009, index * 31 + 40_009];
  const differences = versions.flatMap((version, index) =>
    others(index).flatMap((other) => compareBoth(version, versions[other % versions.length]!)),
  );

  expect(differences).toEqual([]);
});

test('any text is a version exactly if it is one in Renovate and safe to paste', () => {
  fc.assert(
    fc.property(fc.oneof(version, hash, almostVersion), (text) => {
      expect(parseVersion(text) !== undefined).toBe(harmless.test(text) && loose.isVersion(text));
    }),
    { numRuns: 5000 },
  );
});

test('any two versions compare as in Renovate', () => {
  const examples: [string, string][] = [
    ['9007199254740993', '9007199254740992'],
    [`1.${'9'.repeat(150)}`, `1.1${'0'.repeat(150)}`],
    ['1.2.3.4.5.6', '1.2.3.4.5.6-1'],
  ];
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(compareTexts(a, b)).toEqual([]);
    }),
    { numRuns: 20_000, examples },
  );
});

test('two similar versions compare as in Renovate', () => {
  fc.assert(
    fc.property(version, fc.nat(), fc.constantFrom(...edits), (text, at, edit) => {
      const place = at % (text.length + 1);
      const other = text.slice(0, place) + edit + text.slice(place + (at % 2));
      expect(compareTexts(text, other)).toEqual([]);
    }),
    { numRuns: 20_000 },
  );
});

const digits = fc.oneof(
  fc.nat(12).map(String),
  fc.nat(3000).map(String),
  fc.stringMatching(/^0{0,3}\d{1,3}$/),
  fc.stringMatching(/^\d{15,40}$/),
  // The greatest exact numbers, and numbers that no longer fit into half of one.
  fc.constantFrom('67108863', '67108864', '9007199254740993'),
);
const suffixWords = ['-rc', '-rc-', '.Final', '-M', 'b', '+build.', '_', '-', '.', '-RC'];
const suffix = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.constantFrom(...suffixWords), digits).map((parts) => parts.join('')),
  fc.string({ maxLength: 8 }),
);
const groups = fc.array(digits, { minLength: 1, maxLength: 6 });
const version = fc
  .tuple(fc.constantFrom('', '', 'v', 'V'), groups, suffix)
  .map(([prefix, parts, rest]) => prefix + parts.join('.') + rest)
  .filter((text) => text.length <= maxVersionLength);
const hash = fc.stringMatching(/^[0-9a-fA-F]{5,42}$/);
const almostVersion = fc
  .oneof(
    fc.array(digits, { minLength: 5, maxLength: 9 }).map((parts) => parts.join('.')),
    fc.stringMatching(/^[vV]{0,2}[.\-a-z]{0,2}\d{0,2}\.?[a-z]{0,3}$/),
    fc.string({ maxLength: 20 }),
  )
  .filter((text) => text.length <= maxVersionLength);
const edits = ['', '0', '1', '9', '.', '-', 'a', 'v', 'rc', '.0', '00'];

function compareTexts(a: string, b: string): string[] {
  const [first, second] = [parseVersion(a), parseVersion(b)];
  return first && second ? [...compareBoth(first, second), ...compareBoth(second, first)] : [];
}

/** Names an order or a rank that differs from Renovate. */
function compareBoth(a: Version, b: Version): string[] {
  const ours = Math.sign(compareVersions(a, b));
  const theirs = Math.sign(loose.sortVersions(a.text, b.text));
  const differences: string[] = [];
  if (ours !== theirs) {
    differences.push(`${a.text}, ${b.text}: ${ours} here, ${theirs} in Renovate`);
  }
  if ((rankKey(a) === rankKey(b)) !== loose.equals(a.text, b.text)) {
    differences.push(`${a.text}, ${b.text}: not of the same rank here and in Renovate`);
  }
  return differences;
}
