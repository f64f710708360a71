import { expect, test } from 'vitest';
import { isDigest, maxDigests, uniteDigests } from '../../src/core/digest.ts';
import { formatDigests, parseDigests } from '../../src/core/sha256sums.ts';

test('rejects a digest with an unknown algorithm, a wrong length or upper-case digits', () => {
  const [a40, a64] = ['a'.repeat(40), 'a'.repeat(64)];
  const others = [`sha256:${a40}`, `sha256:${a64.toUpperCase()}`, `md5:${a40}`, `toString:${a40}`];

  expect([`sha1:${a40}`, `sha256:${a64}`, `sha512:${a64}${a64}`].every(isDigest)).toBe(true);
  expect(['', ...others].filter(isDigest)).toEqual([]);
});

test('uniteDigests sorts digests, and keeps each once, at most a hundred', () => {
  expect(uniteDigests([])).toBeUndefined();
  expect(uniteDigests(['sha256:b', 'sha256:a', 'sha256:b'])).toEqual(['sha256:a', 'sha256:b']);
  expect(uniteDigests(Array.from({ length: 101 }, (_, index) => `sha256:${index}`))).toHaveLength(
    maxDigests,
  );
});

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];

test('formatDigests lists files in the order of their paths, and parseDigests reads the list back', () => {
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
  ...[`${a} svc.json`, `${b}0  svc.json`, `${a}  svc.json\n${b}  svc.json`],
  ...['/etc/passwd', '../svc.json', 'a/../b', 'a//b', 'C:\\a', 'C:a', 'a\u0007'].map(
    (path) => `${a}  ${path}`,
  ),
])('rejects the list of digests %j', (text) => {
  expect(() => parseDigests(text)).toThrow('SHA256SUMS: expected a digest and a new path; got "');
});
