import { createPublicKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';

/**
 * The public half of a site's signing key, for `minisign -P`: in Base64 "Ed", eight bytes that name the key, and the 32 bytes of
 * an Ed25519 key. "Ed" makes RW and two bits of the third character.
 */
export const SigningPublicKey = z.string().regex(/^RW[Q-T][A-Za-z0-9+/]{53}$/, {
  error: 'expected the second line of a minisign .pub file',
});

/** The name of a key in envelopes, as minisign prints it: 16 hexadecimal digits. */
export function computeKeyId(publicKey: string): string {
  return Buffer.from(publicKey, 'base64').subarray(2, 10).reverse().toString('hex').toUpperCase();
}

/** The Ed25519 key itself, the last 32 bytes. */
export function readPublicKey(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').subarray(10).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** The key as a file for minisign. */
export function writeMinisignKey(publicKey: string): string {
  const comment = `untrusted comment: minisign public key ${computeKeyId(publicKey)}`;
  return `${comment}\n${publicKey}\n`;
}

/** The key as a PEM file, for all other programs. */
export function writePemKey(publicKey: string): string {
  return String(readPublicKey(publicKey).export({ type: 'spki', format: 'pem' }));
}
