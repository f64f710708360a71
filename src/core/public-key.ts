import { createPublicKey, type KeyObject } from 'node:crypto';

/** Reads a public key in the form of `minisign -P`. This is base64 of the letters Ed, a key id of eight bytes, and the key. */
export function openPublicKey(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').toString('base64url', 10);
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
