import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/*
 * Signatures that minisign(1) checks (jedisct1.github.io/minisign, "Signature format"): Ed25519 over the BLAKE2b-512 of the
 * file, and a second signature over the first with the trusted comment.
 */

export interface SigningKey {
  keyId: Buffer;
  privateKey: KeyObject;
  /** As `minisign -P` takes it. */
  publicKey: string;
}

const keyAlgorithm = Buffer.from('Ed');
const prehashedAlgorithm = Buffer.from('ED');
const encryptedBy = Buffer.from('Sc');
const curve = { kty: 'OKP', crv: 'Ed25519' };

/** Reads the content of a secret key file made by `minisign -G -W`. Throws with a sentence that shows nothing of it. */
export function readSigningKey(text: string): SigningKey {
  const line = text
    .split(/\r?\n/)
    .findLast((part) => part.trim() !== '' && !part.startsWith('untrusted comment:'));
  const bytes = Buffer.from(line ?? '', 'base64');
  if (bytes.length !== 158 || !bytes.subarray(0, 2).equals(keyAlgorithm)) {
    throw new Error(
      'is not the content of a minisign secret key file. Make one: minisign -G -W -p release-index.pub -s release-index.key',
    );
  }
  if (bytes.subarray(2, 4).equals(encryptedBy)) {
    throw new Error(
      'is protected by a password, which nobody can type here. Make one without: minisign -G -W',
    );
  }
  const [keyId, seed, publicBytes] = [
    bytes.subarray(54, 62),
    bytes.subarray(62, 94),
    bytes.subarray(94, 126),
  ];
  const x = publicBytes.toString('base64url');
  const privateKey = createPrivateKey({ key: { ...curve, d: seed.toString('base64url'), x }, format: 'jwk' });
  if (createPublicKey(privateKey).export({ format: 'jwk' }).x !== x)
    throw new Error('is damaged: its two halves do not belong together');
  return {
    keyId,
    privateKey,
    publicKey: Buffer.concat([keyAlgorithm, keyId, publicBytes]).toString('base64'),
  };
}

/** The same bytes for the same file, key and comment. The comment is one line. */
export function signFile(body: Uint8Array, key: SigningKey, trustedComment: string): string {
  const signature = sign(undefined, prehash(body), key.privateKey);
  const whole = sign(undefined, Buffer.concat([signature, Buffer.from(trustedComment)]), key.privateKey);
  return [
    'untrusted comment: check with minisign -V, and the public key from where you trust it',
    Buffer.concat([prehashedAlgorithm, key.keyId, signature]).toString('base64'),
    `trusted comment: ${trustedComment}`,
    whole.toString('base64'),
    '',
  ].join('\n');
}

/** Whether a signature of the prehashed form is this key's, over this body and its trusted comment. */
export function isSignedBy(body: Uint8Array, signatureText: string, publicKeyText: string): boolean {
  const [, signed = '', comment = '', whole = ''] = signatureText.split(/\r?\n/);
  const bytes = Buffer.from(signed, 'base64');
  const key = Buffer.from(publicKeyText, 'base64');
  const prefix = 'trusted comment: ';
  if (bytes.length !== 74 || key.length !== 42 || !comment.startsWith(prefix)) return false;
  const expectedStart = Buffer.concat([prehashedAlgorithm, key.subarray(2, 10)]);
  if (!bytes.subarray(0, 10).equals(expectedStart)) return false;
  const publicKey = createPublicKey({
    key: { ...curve, x: key.subarray(10).toString('base64url') },
    format: 'jwk',
  });
  const signature = bytes.subarray(10);
  const commented = Buffer.concat([signature, Buffer.from(comment.slice(prefix.length))]);
  return (
    verify(undefined, prehash(body), publicKey, signature) &&
    verify(undefined, commented, publicKey, Buffer.from(whole, 'base64'))
  );
}

function prehash(body: Uint8Array): Buffer {
  return createHash('blake2b512').update(body).digest();
}
