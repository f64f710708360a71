import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { inputError } from '../core/errors.ts';
import { openPublicKey } from '../core/public-key.ts';

/*
 * A signature file for minisign(1) contains two Ed25519 signatures (jedisct1.github.io/minisign, "Signature format"):
 * - The first signs the BLAKE2b-512 digest of the file.
 * - The second signs the first signature and the trusted comment.
 */

export interface SigningKey {
  keyId: Buffer;
  privateKey: KeyObject;
  /** The public key, in the form of `minisign -P`. */
  publicKey: string;
}

export const keyVariable = 'RELEASE_INDEX_SIGNING_KEY';
const commentPrefix = 'trusted comment: ';

/*
 * A key or a signature is one line of Base64, which consists of fields without gaps. The objects below give their lengths in bytes.
 */

/** The fields of a secret key (158 bytes): the second line of a file that `minisign -G` makes. */
const secretKeyFields = {
  /** `Ed`. */
  algorithm: 2,
  /** The function that derives a key from a password: `Sc` for scrypt, zeros without a password. */
  derivation: 2,
  /** The algorithm of the checksum: `B2` for BLAKE2b. */
  checksumAlgorithm: 2,
  salt: 32,
  operationLimit: 8,
  memoryLimit: 8,
  keyId: 8,
  secretHalf: 32,
  publicHalf: 32,
  /** A checksum of all fields above. This program does not read it. */
  checksum: 32,
};

/** The fields of a signature (74 bytes): the second line of its file. */
const signatureFields = {
  /** `ED` if the digest of the file is signed. `Ed` if the file itself is signed, which is an older form. */
  algorithm: 2,
  keyId: 8,
  signature: 64,
};

/** The fields of a public key (42 bytes). */
const publicKeyFields = {
  /** `Ed`. */
  algorithm: 2,
  keyId: 8,
  publicHalf: 32,
};

type Fields<Lengths> = { readonly [Name in keyof Lengths]: Buffer };

/** Returns the bytes of each field. Undefined if the text has another length. */
function readFields<Lengths extends Readonly<Record<string, number>>>(
  base64: string,
  lengths: Lengths,
): Fields<Lengths> | undefined {
  const bytes = Buffer.from(base64, 'base64');
  const fields: Record<string, Buffer> = {};
  let start = 0;
  for (const [name, length] of Object.entries(lengths)) {
    fields[name] = bytes.subarray(start, start + length);
    start += length;
  }
  return bytes.length === start ? (fields as Fields<Lengths>) : undefined;
}

/** The bytes that come before the secret half of an Ed25519 key in PKCS #8 (RFC 8410, section 7). */
const pkcs8Start = Buffer.from(
  [
    '302e', // a sequence of 46 bytes
    '020100', // version 0
    '300506032b6570', // the algorithm 1.3.101.112, Ed25519
    '04220420', // a field of 34 bytes with the key of 32 bytes
  ].join(''),
  'hex',
);

/** Parses a file made by `minisign -G -W`. Throws an `InputError`, which never quotes the key. */
export function readSigningKey(text: string): SigningKey {
  const line = text.trim().split(/\r?\n/).at(-1) ?? '';
  const fields = readFields(line, secretKeyFields);
  if (fields?.algorithm.toString('latin1') !== 'Ed') {
    throw inputError(keyVariable, 'is not a secret key of minisign. To create one: minisign -G -W');
  }
  if (fields.derivation.toString('latin1') === 'Sc') {
    throw inputError(
      keyVariable,
      'is protected by a password, which cannot be entered here. To create a key without one: minisign -G -W',
    );
  }

  const { algorithm, keyId, secretHalf, publicHalf } = fields;
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Start, secretHalf]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x !== publicHalf.toString('base64url')) {
    throw inputError(keyVariable, 'is damaged: its two halves do not match');
  }

  return {
    keyId,
    privateKey,
    publicKey: Buffer.concat([algorithm, keyId, publicHalf]).toString('base64'),
  };
}

/** Signs a file. The same file always gets the same signature. `comment`: one line. */
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

/** Returns what is wrong with a signature, as the end of a sentence: `is not the signature of this file`. Undefined if it is valid. */
export function findSignatureProblem(
  body: Uint8Array,
  text: string,
  publicKey: string,
): string | undefined {
  const [, line = '', commentLine = '', whole = ''] = text.split(/\r?\n/);
  const fields = readFields(line, signatureFields);
  const isSignature = fields?.algorithm.toString('latin1') === 'ED';
  if (!isSignature || !commentLine.startsWith(commentPrefix)) {
    return 'is not a signature of minisign';
  }

  const { signature, keyId } = fields;
  const [signedBy, expected] = [formatKeyId(keyId), computeKeyId(publicKey)];
  if (signedBy !== expected) {
    return `is by the key ${signedBy}, not by ${expected}`;
  }

  const key = openPublicKey(publicKey);
  const comment = Buffer.from(commentLine.slice(commentPrefix.length));
  if (!verify(undefined, prehash(body), key, signature)) {
    return 'is not the signature of this file';
  }

  const signedWhole = Buffer.concat([signature, comment]);
  return verify(undefined, signedWhole, key, Buffer.from(whole, 'base64'))
    ? undefined
    : 'has a comment that the key did not sign';
}

function prehash(body: Uint8Array): Buffer {
  return createHash('blake2b512').update(body).digest();
}

/** Returns the id of a public key as 16 hexadecimal digits. minisign prints this form, and the envelopes of statements contain it. */
export function computeKeyId(publicKey: string): string {
  return formatKeyId(readFields(publicKey, publicKeyFields)!.keyId);
}

/** Formats the id of a key, whose bytes are stored in reverse order. */
function formatKeyId(keyId: Buffer): string {
  return Buffer.from(keyId).reverse().toString('hex').toUpperCase();
}
