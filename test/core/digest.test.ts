import { expect, test } from 'vitest';
import { computeSha256, isDigest } from '../../src/core/digest.ts';
import { InputError } from '../../src/core/errors.ts';
import { formatDigests, isAddedBySigning, parseDigests } from '../../src/core/sha256sums.ts';

test.each([
  [`sha1:${'a'.repeat(40)}`, true],
  [`sha256:${'a'.repeat(64)}`, true],
  [`sha512:${'a'.repeat(128)}`, true],
  [`sha256:${'a'.repeat(63)}`, false],
  [`sha256:${'A'.repeat(64)}`, false],
  [`md5:${'a'.repeat(32)}`, false],
  [`toString:${'a'.repeat(40)}`, false],
  ['', false],
])('%s is a digest: %s', (text, expected) => {
  expect(isDigest(text)).toBe(expected);
});

test('the digest of a text is in hexadecimal digits', async () => {
  expect(await computeSha256('')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];

test('a list of digests is written sorted, and read again', () => {
  const digests = new Map([
    ['svc.json', b],
    ['assets/site.css', a],
  ]);
  const text = `${a}  assets/site.css\n${b}  svc.json\n`;

  expect(formatDigests(digests)).toBe(text);
  expect(parseDigests(text)).toEqual(digests);
  expect(parseDigests(`${a} *svc.json\n`)).toEqual(new Map([['svc.json', a]]));
});

test.each([
  `${a} svc.json`,
  `${a.slice(1)}  svc.json`,
  `${a}  /etc/passwd`,
  `${a}  ../svc.json`,
  `${a}  a/../b`,
  `${a}  a//b`,
  `${a}  C:\\a`,
  `${a}  C:a`,
  `${a}  svc\u0007.json`,
  `${a}  svc.json\n${b}  svc.json`,
])('the list %j is refused', (text) => {
  expect(() => parseDigests(text)).toThrow(InputError);
  expect(() => parseDigests(text)).toThrow('SHA256SUMS: expected a digest and a new path; got "');
});

test('signing adds files that the list omits', () => {
  const paths = ['svc.json', 'SHA256SUMS', 'SHA256SUMS.minisig', 'statements/svc.ndjson'];
  const digests = new Map([['details/svc.json', a]]);
  const isAdded = (path: string) => isAddedBySigning(path, digests);

  expect(paths.map(isAdded)).toEqual([false, true, true, true]);
  expect(['statements/nobody.ndjson', 'statements/svc.js'].map(isAdded)).toEqual([false, false]);
});
