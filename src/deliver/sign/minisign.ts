import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { computeKeyId, readPublicKey } from '../../core/schemas/signing-public-key.ts';

/*
 * Signatures for minisign(1) (jedisct1.github.io/minisign, "Signature format"): the first signs the BLAKE2b-512 digest of the
 * file with Ed25519; the second signs the first and the trusted comment.
 */

export interface SigningKey {
  keyId: Buffer;
  privateKey: KeyObject;
  /** In the form of `minisign -P`. */
  publicKey: string;
}

const keyAlgorithm = Buffer.from('Ed');
const prehashedAlgorithm = Buffer.from('ED');
const scryptAlgorithm = Buffer.from('Sc');
const commentPrefix = 'trusted comment: ';

/** Parses a secret key file made by `minisign -G -W`. Error messages never contain any part of the key. */
export function readSigningKey(text: string): SigningKey {
  const line = text
    .split(/\r?\n/)
    .findLast((part) => part.trim() !== '' && !part.startsWith('untrusted comment:'));
  const bytes = Buffer.from(line ?? '', 'base64');
  const remedy = 'Make one: minisign -G -W -p release-index.pub -s release-index.key';
  if (bytes.length !== 158 || !bytes.subarray(0, 2).equals(keyAlgorithm)) {
    throw new Error(`is not the content of a minisign secret key file. ${remedy}`);
  }

  if (bytes.subarray(2, 4).equals(scryptAlgorithm)) {
    throw new Error(
      'is protected by a password, which cannot be entered here. Make one without: minisign -G -W',
    );
  }

  // After the algorithms, the salt and the limits of the password: the key's id, its secret half and its public half.
  const keyId = bytes.subarray(54, 62);
  const seed = bytes.subarray(62, 94);
  const publicBytes = bytes.subarray(94, 126);
  const x = publicBytes.toString('base64url');
  const privateKey = createPrivateKey({
    key: { kty: 'OKP', crv: 'Ed25519', d: seed.toString('base64url'), x },
    format: 'jwk',
  });
  if (createPublicKey(privateKey).export({ format: 'jwk' }).x !== x) {
    throw new Error('is damaged: its two halves do not belong together');
  }

  const publicKey = Buffer.concat([keyAlgorithm, keyId, publicBytes]).toString('base64');
  return { keyId, privateKey, publicKey };
}

/** Deterministic. `trustedComment`: one line. */
export function signFile(body: Uint8Array, key: SigningKey, trustedComment: string): string {
  const signature = sign(undefined, prehash(body), key.privateKey);
  const signedContent = Buffer.concat([signature, Buffer.from(trustedComment)]);

  return [
    'untrusted comment: check with minisign -V, and the public key from where you trust it',
    Buffer.concat([prehashedAlgorithm, key.keyId, signature]).toString('base64'),
    `${commentPrefix}${trustedComment}`,
    sign(undefined, signedContent, key.privateKey).toString('base64'),
    '',
  ].join('\n');
}

/**
 * Verifies a prehashed signature and returns its trusted comment, or else the problem, which continues a sentence that begins with
 * the name of the signature file.
 */
export function openSignature(
  body: Uint8Array,
  signatureText: string,
  publicKey: string,
): { comment: string } | { problem: string } {
  const [, line = '', comment = '', whole = ''] = signatureText.split(/\r?\n/);
  const bytes = Buffer.from(line, 'base64');
  const isPrehashed = bytes.length === 74 && bytes.subarray(0, 2).equals(prehashedAlgorithm);
  if (!isPrehashed || !comment.startsWith(commentPrefix)) {
    return { problem: 'is not a signature of minisign' };
  }

  const signer = computeKeyId(line);
  if (signer !== computeKeyId(publicKey)) {
    return { problem: `is by the key ${signer}, not by ${computeKeyId(publicKey)}` };
  }

  const key = readPublicKey(publicKey);
  const signature = bytes.subarray(10);
  const text = comment.slice(commentPrefix.length);
  if (!verify(undefined, prehash(body), key, signature)) {
    return { problem: 'is not the signature of this file' };
  }

  const signedContent = Buffer.concat([signature, Buffer.from(text)]);
  if (!verify(undefined, signedContent, key, Buffer.from(whole, 'base64'))) {
    return { problem: 'has a comment that was not signed with it' };
  }

  return { comment: text };
}

function prehash(body: Uint8Array): Buffer {
  return createHash('blake2b512').update(body).digest();
}
