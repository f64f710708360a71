import { expect, test } from 'vitest';
import { SigningPublicKey } from '../../../src/core/schemas/signing-public-key.ts';

test.each([
  ['Ed', true],
  ['ED', false],
  ['Ee', false],
  ['Et', false],
])('a public key that begins with the bytes %s is one of minisign: %s', (start, isKey) => {
  const key = Buffer.concat([Buffer.from(start), Buffer.alloc(40, 255)]).toString('base64');

  expect(SigningPublicKey.safeParse(key).success).toBe(isKey);
});
