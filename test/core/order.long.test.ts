import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { compareVersions, keyVersion, parseVersion, type Version } from '../../src/core/version.ts';
import { readCorpus } from '../harness/corpus.ts';
import { versionText } from '../harness/versions.ts';
import { importRenovate } from '../renovate/install.ts';

/**
 * Matches the versions that we accept: only these characters, at most 200 of them, and at most 50 digits in a row. Versions are pasted into
 * shells and workflows, where other characters are not safe.
 */
const harmless = /^(?!.*\d{51})[A-Za-z0-9._+~!:-]{0,200}$/;

/**
 * The functions of Renovate's versioning that this test calls (renovatebot/renovate,
 * lib/modules/versioning/loose/index.ts).
 */
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

const products = readCorpus<Record<string, object>>('releases');
const texts = Object.values(products).flatMap((releases) => Object.keys(releases));

test('accepts each real version that Renovate accepts, unless a character is unsafe', () => {
  const accepted = texts.filter((text) => parseVersion(text) !== undefined);
  const theirs = texts.filter((text) => loose.isVersion(text));

  expect(accepted).toEqual(theirs.filter((text) => harmless.test(text)));
  expect([texts.length, theirs.length, accepted.length]).toEqual([99_322, 98_188, 98_184]);
});

test('orders real versions as Renovate does', () => {
  const versions = texts.flatMap((text) => parseVersion(text) ?? []).toSorted(compareVersions);
  const others = (index: number) => [index + 1, index * 31 + 1009, index * 31 + 40_009];
  const differences = versions.flatMap((version, index) =>
    others(index).flatMap((other) => compareBoth(version, versions[other % versions.length]!)),
  );

  expect(differences).toEqual([]);
});

const edits = ['', '0', '1', '9', '.', '-', 'a', 'v', 'rc', '.0', '00'];
const similarPair = fc
  .tuple(versionText, fc.nat(), fc.constantFrom(...edits))
  .map(([text, at, edit]): [string, string] => {
    const place = at % (text.length + 1);
    return [text, text.slice(0, place) + edit + text.slice(place + (at % 2))];
  });
const hash = fc.stringMatching(/^[0-9a-fA-F]{5,42}$/);

test('compares any two versions as Renovate does', () => {
  const examples: [[string, string]][] = [
    [['9007199254740993', '9007199254740992']],
    [[`1.${'9'.repeat(49)}`, `1.1${'0'.repeat(49)}`]],
    [['1.2.3.4.5.6', '1.2.3.4.5.6-1']],
  ];
  const pair = fc.oneof(fc.tuple(versionText, versionText), similarPair, fc.tuple(hash, hash));
  fc.assert(
    fc.property(pair, (texts) => {
      const [first, second] = texts.map(parseVersion);

      expect(texts.map((text) => parseVersion(text) !== undefined)).toEqual(
        texts.map((text) => harmless.test(text) && loose.isVersion(text)),
      );
      expect(first && second ? compareBoth(first, second) : []).toEqual([]);
      expect(first && second ? compareBoth(second, first) : []).toEqual([]);
    }),
    { numRuns: 40_000, examples },
  );
});

/** Returns a sentence for each difference between our order and Renovate's. */
function compareBoth(a: Version, b: Version): string[] {
  const ours = Math.sign(compareVersions(a, b));
  const theirs = Math.sign(loose.sortVersions(a.text, b.text));
  const differences: string[] = [];
  if (ours !== theirs) {
    differences.push(`${a.text}, ${b.text}: ${ours} here, ${theirs} in Renovate`);
  }
  if ((keyVersion(a) === keyVersion(b)) !== loose.equals(a.text, b.text)) {
    differences.push(`${a.text}, ${b.text}: not of the same rank here and in Renovate`);
  }
  return differences;
}
