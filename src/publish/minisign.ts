import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { inputError } from '../core/errors.ts';
import { openPublicKey } from '../site/signing-key.ts';

/*
 * Signatures for minisign(1) (jedisct1.github.io/minisign, "Signature format"): the first signs the BLAKE2b-512 digest of the
 * file with Ed25519; the second signs the first and the trusted comment.
 */

export interface SigningKey {
  keyId: Buffer;
  privateKey: KeyObject;
  /** As for `minisign -P`. */
  publicKey: string;
}

export const keyVariable = 'RELEASE_INDEX_SIGNING_KEY';
const commentPrefix = 'trusted comment: ';

/** Where a secret key has its parts, after three algorithms, and the salt and the limits of a password. */
const secretKeyParts = {
  keyId: [54, 62],
  secretHalf: [62, 94],
  publicHalf: [94, 126],
} as const;
const secretKeyLength = 158;
/** A signature follows the letters of its algorithm, and the id of its key. */
const signatureStart = 10;
const signatureLength = 74;
/** What stands before the secret half of an Ed25519 key in PKCS #8 (RFC 8410). */
const derPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Parses a file made by `minisign -G -W`. Throws an `InputError`, which never quotes it. */
export function readSigningKey(text: string): SigningKey {
  const line = text.trim().split(/\r?\n/).at(-1) ?? '';
  const bytes = Buffer.from(line, 'base64');
  if (bytes.length !== secretKeyLength || bytes.toString('latin1', 0, 2) !== 'Ed') {
    throw inputError(keyVariable, 'is not a secret key of minisign. Make one: minisign -G -W');
  }
  if (bytes.toString('latin1', 2, 4) === 'Sc') {
    throw inputError(
      keyVariable,
      'is protected by a password, which nobody can enter here. Make one without: minisign -G -W',
    );
  }

  const keyId = bytes.subarray(...secretKeyParts.keyId);
  const secretHalf = bytes.subarray(...secretKeyParts.secretHalf);
  const publicHalf = bytes.subarray(...secretKeyParts.publicHalf);
  const privateKey = createPrivateKey({
    key: Buffer.concat([derPrefix, secretHalf]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x !== publicHalf.toString('base64url')) {
    throw inputError(keyVariable, 'is damaged: its two halves do not belong together');
  }

  return {
    keyId,
    privateKey,
    publicKey: Buffer.concat([Buffer.from('Ed'), keyId, publicHalf]).toString('base64'),
  };
}

/** Deterministic. `comment`: one line. */
export function signFile(
  body: Uint8Array,
  { keyId, privateKey }: SigningKey,
  comment: string,
): string {
  const signature = sign(undefined, prehash(body), privateKey);
  const whole = sign(undefined, Buffer.concat([signature, Buffer.from(comment)]), privateKey);
  return [
    'untrusted comment: check with minisign -V, and the public key from where you trust it',
    Buffer.concat([Buffer.from('ED'), keyId, signature]).toString('base64'),
    commentPrefix + comment,
    whole.toString('base64'),
    '',
  ].join('\n');
}

/** What is wrong with a signature of a file, if anything: the rest of a sentence that begins with its name. */
export function findSignatureProblem(
  body: Uint8Array,
  text: string,
  publicKey: string,
): string | undefined {
  const [, line = '', commentLine = '', whole = ''] = text.split(/\r?\n/);
  const bytes = Buffer.from(line, 'base64');
  const isSignature = bytes.length === signatureLength && bytes.toString('latin1', 0, 2) === 'ED';
  if (!isSignature || !commentLine.startsWith(commentPrefix)) {
    return 'is not a signature of minisign';
  }
  if (computeKeyId(line) !== computeKeyId(publicKey)) {
    return `is by the key ${computeKeyId(line)}, not by ${computeKeyId(publicKey)}`;
  }

  const key = openPublicKey(publicKey);
  const signature = bytes.subarray(signatureStart);
  const comment = Buffer.from(commentLine.slice(commentPrefix.length));
  if (!verify(undefined, prehash(body), key, signature)) {
    return 'is not the signature of this file';
  }

  const signedWhole = Buffer.concat([signature, comment]);
  return verify(undefined, signedWhole, key, Buffer.from(whole, 'base64'))
    ? undefined
    : 'has a comment that was not signed with it';
}

function prehash(body: Uint8Array): Buffer {
  return createHash('blake2b512').update(body).digest();
}

/**
 * The name of the key in a public key or a signature, as envelopes have it and minisign prints it: 16 hexadecimal digits. In both, it
 * follows two letters of an algorithm.
 */
export function computeKeyId(encoded: string): string {
  return Buffer.from(encoded, 'base64').subarray(2, 10).reverse().toString('hex').toUpperCase();
}
