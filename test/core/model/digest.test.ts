import { expect, test } from 'vitest';
import {
  computeSha256,
  findContradiction,
  isDigest,
  joinDigests,
  normaliseDigest,
} from '../../../src/core/model/digest.ts';

const [sha1, sha256, other] = [
  `sha1:${'a'.repeat(40)}`,
  `sha256:${'a'.repeat(64)}`,
  `sha256:${'b'.repeat(64)}`,
];

test.each([
  [sha1, true],
  [sha256, true],
  [`sha512:${'a'.repeat(128)}`, true],
  [`sha256:${'a'.repeat(63)}`, false],
  [`sha256:${'A'.repeat(64)}`, false],
  [`md5:${'a'.repeat(32)}`, false],
  [`${sha1} ${sha256}`, false],
])('%s is one digest: %s', (text, expected) => {
  expect(isDigest(text)).toBe(expected);
});

test('a stated digest is compared in lower case, without blanks around it', () => {
  expect(normaliseDigest(` SHA256:${'A'.repeat(64)}\n`)).toBe(sha256);
});

test.each<[string, string, readonly [string, string] | undefined]>([
  [sha256, sha256, undefined],
  [sha256, other, [sha256, other]],
  [sha1, other, undefined],
  [`${sha1} ${sha256}`, `${other} ${sha1}`, [sha256, other]],
])('the digests %s and %s contradict each other: %j', (one, another, expected) => {
  expect(findContradiction(one.split(' '), another.split(' '))).toEqual(expected);
});

test('the digest of a text is in hexadecimal digits', async () => {
  expect(await computeSha256('')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});

test('digests are joined once each, the weakest first', () => {
  const sha512 = `sha512:${'a'.repeat(128)}`;

  expect(joinDigests([sha512, sha256, sha1, sha256])).toBe(`${sha1} ${sha256} ${sha512}`);
  expect(joinDigests([])).toBe('');
});
