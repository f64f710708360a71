import * as z from 'zod';

/**
 * The public half of a site's signing key, for `minisign -P`: in Base64 "Ed", eight bytes that name the key, and the 32 bytes of
 * an Ed25519 key.
 */
export const SigningPublicKey = z
  .string()
  .regex(/^RW[A-Za-z0-9+/]{54}$/, { error: 'expected the second line of a minisign .pub file' });

/** The name of a key in envelopes, as minisign prints it: 16 hexadecimal digits. */
export function computeKeyId(publicKey: string): string {
  return Buffer.from(publicKey, 'base64').subarray(2, 10).reverse().toString('hex').toUpperCase();
}

/** The Ed25519 key itself, 32 bytes. */
export function readRawKey(publicKey: string): Buffer {
  return Buffer.from(publicKey, 'base64').subarray(10);
}
