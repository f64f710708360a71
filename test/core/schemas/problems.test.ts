import { expect, test } from 'vitest';
import * as z from 'zod';
import { Compatibility } from '../../../src/core/schemas/definition/works-with.ts';
import { describeProblems } from '../../../src/core/schemas/problems.ts';
import { quote } from '../../../src/core/text/foreign-text.ts';
import { showValue } from '../../../src/core/text/show.ts';

const schema = z.strictObject({ name: z.enum(['one', 'two']).optional() });

test.each([
  ['an address', 'https://someone:secret@example.com/?token=secret', '"https://…@example.com/?…"'],
  ['an address without a scheme', 'someone:secret@example.com', '"…@example.com"'],
  [
    'an address with another in its query',
    'someone:secret@example.com/?next=https://a.example',
    '"…@example.com/?…://a.example"',
  ],
  [
    'a token before a path with an @',
    'https://secret@npm.example.com/@scope/name',
    '"https://…@npm.example.com/@scope/name"',
  ],
  [
    'a token after slashes',
    '//secret@npm.example.com/@scope/name',
    '"…@npm.example.com/@scope/name"',
  ],
  [
    'a password with blanks',
    'see https://someone:my secret word@a.example now',
    '"see https://…@a.example now"',
  ],
  [
    'a password with blanks that begins like a port',
    'see https://someone:12!secret word@a.example now',
    '"see https://…@a.example now"',
  ],
  [
    'a port and a later address',
    'https://localhost:8080 and someone@a.example',
    '"https://localhost:8080 and …@a.example"',
  ],
  ['a query after slashes', '//npm.example.com/?token=secret', '"//npm.example.com/?…"'],
  ['an address within a text', 'see someone:secret@example.com now', '"see …@example.com now"'],
  [
    'a token before a path that is too long',
    `secret@npm.example.com/${'x'.repeat(300)}`,
    `"…@npm.example.com/${'x'.repeat(98)}…`,
  ],
  ['a query that is too long', `npm.example.com/?${'secret'.repeat(100)}`, '"npm.example.com/?…"'],
  [
    'an address whose password ends behind the cut',
    `https://someone:secret${'x'.repeat(2000)}@a.example`,
    '"https:…"',
  ],
  ['a word that is too long', `see someone:${'secret'.repeat(100)}`, '"see someone:…"'],
])('shows %s without its secret', (_, text, shown) => {
  expect(showValue(text)).toBe(shown);
});

test('shows an address that is a key without its secret', () => {
  const document = { 'https://someone:secret@a.example/': 1 };
  const ofTexts = z.record(z.string(), z.string());

  expect(showValue(document)).toBe('{"https://…@a.example/":1}');
  expect(describeProblems(document, ofTexts)).toEqual([
    '["https://…@a.example/"]: expected string; got 1',
  ]);
  expect(describeProblems(document, schema)).toEqual([
    '["https://…@a.example/"]: unknown key; known are name; remove or correct it',
  ]);
});

test('cuts no character into halves', () => {
  for (let length = 90; length < 130; length += 1) {
    const text = `${'x'.repeat(length)}😀😀😀`;

    expect([showValue(text), showValue({ [text]: text }), quote(text)].join()).not.toMatch(
      /\p{Cs}|\\ud/u,
    );
  }
});

test.each([
  ['a value', { name: 'a:'.repeat(32_000) }],
  ['a key', { ['a:'.repeat(32_000)]: 1 }],
  ['a value of many words', { name: 'a@b.c?d '.repeat(8_000) }],
])('describes %s of 64 kB in one short line', (_, document) => {
  const problems = describeProblems(document, schema);

  expect(problems).toHaveLength(1);
  expect(problems[0]!.length).toBeLessThan(300);
});

test('describes a problem of each of two long keys that begin alike', () => {
  const document = { [`${'x'.repeat(200)}1`]: 1, [`${'x'.repeat(200)}2`]: 2 };

  expect(describeProblems(document, z.record(z.string(), z.string()))).toEqual([
    expect.stringContaining('expected string; got 1'),
    expect.stringContaining('expected string; got 2'),
  ]);
});

test.each([
  ['more than its least value', z.number().gt(0), 0, 'expected more than 0; got 0'],
  ['less than its greatest value', z.number().lt(3), 3, 'expected less than 3; got 3'],
  ['its least value or more', z.number().min(1), 0, 'expected at least 1; got 0'],
])('expects a number to have %s', (_, bound, value, problem) => {
  expect(describeProblems(value, bound)).toEqual([problem]);
});

const alternatives = z.union([
  z.enum(['pages', 'files']),
  z.strictObject({ plan: z.enum(['free', 'paid']) }),
  z.strictObject({ folder: z.string().min(1) }),
]);

test.each([
  ['page', 'expected one of pages, files; got "page". Did you mean "pages"?'],
  [{ plan: 'fre' }, 'plan: expected one of free, paid; got "fre". Did you mean "free"?'],
  [{ folder: '' }, 'folder: expected at least 1 character; got ""'],
  [{}, 'expected the key plan or folder; got {}'],
  [{ foldr: '/srv' }, 'expected the key plan or folder; got {"foldr":"/srv"}'],
  [{ plan: 'free', folder: '/srv' }, 'folder: unknown key; known are plan; remove or correct it'],
])('describes the problem of the alternative that a value is nearest to: %j', (value, problem) => {
  expect(describeProblems(value, alternatives)).toEqual([problem]);
});

test('names the types of all alternatives for a value of none, in words of JSON, and a number as a number', () => {
  const texts = z.union([z.string(), z.array(z.string())]);

  expect(describeProblems(3, texts)).toEqual(['expected string or array; got 3']);
  const ends = z.union([z.string(), z.record(z.string(), z.string())]);
  expect(describeProblems([], ends)).toEqual(['expected string or object; got []']);
  expect(describeProblems([], ends.options[1])).toEqual(['expected object; got []']);
  expect(describeProblems(1.5, z.int())).toEqual(['expected whole number; got 1.5']);
  expect(describeProblems(3, z.literal(1))).toEqual(['expected 1; got 3']);
  expect(describeProblems('other', z.literal('a'))).toEqual(['expected "a"; got "other"']);
});

test.each([
  [5, 'jwkSet: expected object'],
  [{ kty: 'GEHEIM' }, 'jwkSet.kty: expected one of EC, OKP'],
  [{ kty: 'EC', GEHEIM: '' }, 'jwkSet.GEHEIM: unknown key; known are kty; remove or correct it'],
])('describes the problem of a key set without its value', (jwkSet, problem) => {
  const withKeys = z.object({ jwkSet: z.strictObject({ kty: z.enum(['EC', 'OKP']) }) });

  expect(describeProblems({ jwkSet }, withKeys)).toEqual([problem]);
});

test.each([
  [
    { from: '2026.1', testedTo: '2025.3', before: '2026.2' },
    'testedTo: expected a version from 2026.1 on; got "2025.3"',
  ],
  [
    { from: '2026.1', before: '2026.1.0' },
    'before: expected a version above 2026.1; got "2026.1.0"',
  ],
  [
    { testedTo: '2026.3', before: '2026.3' },
    'before: expected a version above 2026.3; got "2026.3"',
  ],
  [
    { versions: '4.0 || 4.1', recommended: '4.5.1', from: '2025.1' },
    'recommended: expected one of versions; got "4.5.1"',
  ],
])('reports values of which one excludes the other: %j', (entry, problem) => {
  expect(describeProblems({ versions: '*', ...entry }, Compatibility)).toEqual([problem]);
});

test('accepts bounds with a single version between them', () => {
  const bounds = { versions: '*', from: '2026.1', testedTo: '2026.1', before: '2026.2' };

  expect(describeProblems(bounds, Compatibility)).toEqual([]);
});

test('names the first problem of each part of an alternative', () => {
  const from = z.string().min(3).regex(/^\d+$/);
  const range = z.union([z.number(), z.strictObject({ from, to: z.string() })]);

  expect(describeProblems({ from: 'x', to: 3 }, range)).toEqual([
    'from: expected at least 3 characters; got "x"',
    'to: expected string; got 3',
  ]);
});

test('suggests no key for an object that has none', () => {
  expect(describeProblems({ a: 1 }, z.strictObject({}))).toEqual([
    'a: unknown key; remove or correct it',
  ]);
});
