import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Settings } from '../core/schema/written.ts';
import type { File } from './output.ts';

/** Renders the public key in two files: for minisign, and as PEM for other programs. */
export function* renderKeys({ signingPublicKey: key }: Settings): Generator<File> {
  if (key !== undefined) {
    yield ['signing-key.pub', `untrusted comment: minisign public key\n${key}\n`];
    yield ['signing-key.pem', openPublicKey(key).export({ type: 'spki', format: 'pem' })];
  }
}

/** Reads a public key in the form of `minisign -P`. This is base64 of the letters Ed, a key id of eight bytes, and the key. */
export function openPublicKey(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').toString('base64url', 10);
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
