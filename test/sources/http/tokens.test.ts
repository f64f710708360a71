import { expect, test } from 'vitest';
import { parseChallenge, readToken } from '../../../src/sources/http/credentials.ts';

const realm = 'https://auth.example/token';
test.each([
  [`Basic realm="other", bearer realm=${realm}`, { realm }],
  ['Basic realm="Bearer"', undefined],
  [null, undefined],
])('reads the header %j as the challenge %j', (header, expected) => {
  expect(parseChallenge(header)).toEqual(expected);
});

test.each([
  ['{"token":"","access_token":"g"}', 'g'],
  ['{"token":"a b"}', undefined],
])('reads the answer %s as the token %s', (text, expected) => {
  expect(readToken(text)).toBe(expected);
});
