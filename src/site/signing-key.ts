import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Settings } from '../core/schema/written.ts';
import type { File } from './output.ts';

/** The public key for minisign, and for all other programs. */
export function* renderKeys({ signingPublicKey: key }: Settings): Generator<File> {
  if (key !== undefined) {
    yield ['signing-key.pub', `untrusted comment: minisign public key\n${key}\n`];
    yield ['signing-key.pem', openPublicKey(key).export({ type: 'spki', format: 'pem' })];
  }
}

/** `publicKey`: as for `minisign -P`, behind the letters Ed and the eight bytes of a name. */
export function openPublicKey(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').toString('base64url', 10);
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
