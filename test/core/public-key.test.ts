import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { openPublicKey } from '../../src/core/public-key.ts';

test('the text of a minisign key opens the key that it contains', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  const text = Buffer.concat([Buffer.from('Ed'), Buffer.from('12345678'), raw]).toString('base64');
  const signature = sign(null, Buffer.from('a list'), privateKey);

  const opened = openPublicKey(text);

  expect(opened.equals(publicKey)).toBe(true);
  expect(verify(null, Buffer.from('a list'), opened, signature)).toBe(true);
});

test.each(['', 'RWQ', 'not base64!'])('openPublicKey rejects the text %j', (text) => {
  expect(() => openPublicKey(text)).toThrow();
});
