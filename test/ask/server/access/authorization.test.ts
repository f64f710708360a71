import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAuthorization } from '../../../../src/ask/server/access/authorization.ts';

const secret = (text: string, isPassword = false) => ({ secret: text, isPassword });
const none = 'no-credential';
const malformed = 'invalid-token';
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test.each<[string | null, object | string]>([
  [null, none],
  ['', none],
  ['  ', none],
  ['abc', none],
  ['Digest username="a"', none],
  ['Bearerabc', none],
  ['Bearer abc', secret('abc')],
  ['bEARER \t abc== ', secret('abc==')],
  ['Bearer', malformed],
  ['Bearer, Bearer abc', malformed],
  ['Bearer a=b', malformed],
  ['Bearer =', malformed],
  ['Bearer a\nb', malformed],
  ['Bearer a b', malformed],
  ['Bearer "a"', malformed],
  ['Bearer sch\u00fcssel', malformed],
  [`Bearer ${'a'.repeat(8192)}`, secret('a'.repeat(8192))],
  [`Bearer ${'a'.repeat(8193)}`, malformed],
  [basic('jane:abc'), secret('abc', true)],
  [basic(':abc'), secret('abc', true)],
  [basic('j\u00e4ne:abc'), secret('abc', true)],
  [basic('abc'), malformed],
  [basic('jane:'), malformed],
  [basic('jane:abc:def'), malformed],
  [basic('jane:a\u0000b'), malformed],
  ['Basic ====', malformed],
])('the header Authorization %j is read', (header, expected) => {
  expect(readAuthorization(header, true)).toEqual(expected);
});

test('the header Authorization has no key as a password if the index protects only /mcp', () => {
  expect(readAuthorization(basic('jane:abc'), false)).toEqual(none);
});

test('the header Authorization returns only characters that a key or a token may have', () => {
  const scheme = fc.constantFrom('Bearer ', 'bearer\t', 'Basic ', 'BASIC  ', '');
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.base64String(),
    fc.string().map((text) => Buffer.from(text).toString('base64')),
  );
  fc.assert(
    fc.property(scheme, value, fc.boolean(), (before, text, takesBasic) => {
      const credential = readAuthorization(before + text, takesBasic);

      if (typeof credential !== 'string') {
        expect(credential.secret).toMatch(/^[A-Za-z0-9\-._~+/]+=*$/);
      }
    }),
  );
});

test('the header Authorization is read fast with 1 MiB of white space', () => {
  expect(readAuthorization(`Bearer a${' '.repeat(2 ** 20)}b`, true)).toEqual(malformed);
});
