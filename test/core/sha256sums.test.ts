import { expect, test } from 'vitest';
import { formatDigests, isUnlisted, parseDigests } from '../../src/core/sha256sums.ts';

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];

test('the list has one line for each file, sorted by path, and is read again', () => {
  const digests = new Map([
    ['svc.json', b],
    ['assets/site css.css', a],
  ]);

  const text = formatDigests(digests);

  expect(text).toBe(`${a}  assets/site css.css\n${b}  svc.json\n`);
  expect(parseDigests(text)).toEqual(digests);
  expect(parseDigests(`${a} *svc.json`)).toEqual(new Map([['svc.json', a]]));
});

test.each([
  ['a digest that is too short', `${a.slice(1)}  svc.json`],
  ['a digest that is too long', `${a}a  svc.json`],
  ['a digest in capitals', `${a.toUpperCase()}  svc.json`],
  ['no path', `${a}  `],
  ['a path that is there already', `${a}  svc.json\n${b}  svc.json`],
  ['an absolute path', `${a}  /etc/passwd`],
  ['a path of another drive', `${a}  C:x`],
  ['a path that leads up', `${a}  a/../../x`],
  ['a path that ends above', `${a}  a/..`],
  ['a path with a point', `${a}  ./x`],
  ['a path with an empty part', `${a}  a//x`],
  ['a path that ends with a slash', `${a}  a/`],
  ['a backslash', `${a}  a\\x`],
  ['a control character', `${a}  a\u0007x`],
  ['a line separator', `${a}  a\u2028x`],
])('the list is rejected if it has %s', (_, text) => {
  expect(() => parseDigests(text)).toThrow('SHA256SUMS: expected a digest and a new path; got "');
});

test.each(['.well-known/x', '..x', 'a/...', 'a..b'])('the path %s is accepted', (path) => {
  expect([...parseDigests(`${a}  ${path}`).keys()]).toEqual([path]);
});

test.each([
  ['SHA256SUMS', true],
  ['SHA256SUMS.minisig', true],
  ['statements/SHA256SUMS', false],
])('%s is not in the list itself: %s', (path, expected) => {
  expect(isUnlisted(path)).toBe(expected);
});
