import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import { notice, problem, type Finding } from '../../core/schemas/finding.ts';
import type { ReleaseFile } from '../../core/schemas/published/release-documents.ts';
import {
  bundleMediaType,
  computeKeyId,
  predicatePath,
  readRawKey,
  statementMediaType,
  statementType,
  type ReleaseStatement,
  type StatementBundle,
} from '../../core/schemas/published/statement.ts';
import { saveIfChanged } from '../../io/files/file-system.ts';
import { countEvents } from '../../io/files/journal-files.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { readStatements } from '../../record/journal/record-statements.ts';
import { readDefinition } from '../../record/read-definition.ts';
import { digestsFile, signatureFile } from '../../site/digests.ts';
import { fillPath, statementsPath } from '../../site/render/paths.ts';

export const signingKeyVariable = 'RELEASE_INDEX_SIGNING_KEY';

/** The configured signing key, if any. A site that promises a signature needs the promised key. */
export function chooseSigningKey(
  secret: string | undefined,
  promisedKey: string | undefined,
): { key?: SigningKey; findings: Finding[] } {
  const reject = (message: string) => ({ findings: [problem(signingKeyVariable, message)] });
  if (secret === undefined || secret.trim() === '') {
    if (promisedKey === undefined) {
      return { findings: [] };
    }

    return reject('is missing, but site/site.json promises a signature ("signingPublicKey")');
  }

  try {
    const key = readSigningKey(secret);
    const { publicKey } = key;
    if (promisedKey === publicKey) {
      return { key, findings: [] };
    }

    if (promisedKey !== undefined) {
      return reject(
        `belongs to the public key ${publicKey}, but site/site.json promises ${promisedKey}`,
      );
    }

    const message = `SHA256SUMS is signed, but its key is not published. Add: "signingPublicKey": "${publicKey}"`;
    return { key, findings: [notice('site/site.json', message)] };
  } catch (error) {
    return reject((error as Error).message);
  }
}

interface SignInput {
  root: Root;
  /** The public address, without a trailing slash. */
  baseUrl: string;
  /** The day that the site was built for. */
  asOf: Day;
  /** The folder of the site, just built from the files of the root. */
  out: string;
  key: SigningKey;
}

/** Signs the recorded statements about releases, then the list of digests. */
export function signSite({ root, baseUrl, asOf, out, key }: SignInput): void {
  for (const component of listComponents(root).names) {
    const { renamedFrom = [] } = unwrapResult(readDefinition(root, component));
    const names = [component, ...renamedFrom];
    const statements = signReleases({ root, out, baseUrl, key }, component, names);
    for (const name of names) {
      const path = join(out, fillPath(statementsPath, name));
      if (statements === '') {
        rmSync(path, { force: true });
      } else {
        saveIfChanged(path, statements);
      }
    }
  }

  const list = readFileSync(join(out, digestsFile));
  const events = countEvents(root, asOf);
  const comment = `${digestsFile} of ${baseUrl} as of ${asOf} with ${events} events`;
  saveIfChanged(join(out, signatureFile), signFile(list, key, comment));
}

/** One bundle per line, newest last: the recorded statements about listed releases. */
function signReleases(
  { root, out, baseUrl, key }: Pick<SignInput, 'root' | 'out' | 'baseUrl' | 'key'>,
  component: string,
  names: readonly string[],
): string {
  const subjects = names
    .toReversed()
    .flatMap((name) => readStatements(root, name).value?.values ?? []);
  if (subjects.length === 0) {
    return '';
  }

  const { releases } = JSON.parse(
    readFileSync(join(out, `${component}.json`), 'utf8'),
  ) as ReleaseFile;
  const versions = new Set(releases.map(({ version }) => version));

  return subjects
    .filter(({ predicate }) => versions.has(predicate.version))
    .map(({ subject, predicate }): ReleaseStatement => {
      const predicateType = `${baseUrl}/${predicatePath}`;
      return { _type: statementType, subject, predicateType, predicate };
    })
    .map((statement) => `${JSON.stringify(signStatement(statement, key))}\n`)
    .join('');
}

export interface SignedComment {
  baseUrl: string;
  asOf: string;
  /** The number of events in all journals. It never falls. */
  events: number;
}

/**
 * Parses a trusted comment; undefined if this program did not write it. The signature covers the comment, so neither an old
 * list nor the list of another index passes as this one.
 */
export function readComment(comment: string): SignedComment | undefined {
  const [, baseUrl, asOf, events] =
    /^SHA256SUMS of (\S+) as of (\d{4}-\d{2}-\d{2}) with (\d+) events\b/.exec(comment) ?? [];
  if (baseUrl === undefined || asOf === undefined) {
    return undefined;
  }

  return { baseUrl, asOf, events: Number(events) };
}

/*
 * Signatures for minisign(1) (jedisct1.github.io/minisign, "Signature format"): the first signs the BLAKE2b-512 digest of the
 * file with Ed25519; the second signs the first and the trusted comment.
 */

interface SigningKey {
  keyId: Buffer;
  privateKey: KeyObject;
  /** In the form of `minisign -P`. */
  publicKey: string;
}

const keyAlgorithm = Buffer.from('Ed');
const prehashedAlgorithm = Buffer.from('ED');
const scryptAlgorithm = Buffer.from('Sc');
const commentPrefix = 'trusted comment: ';
const curve = { kty: 'OKP', crv: 'Ed25519' };

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

  const [keyId, seed] = [bytes.subarray(54, 62), bytes.subarray(62, 94)];
  const publicBytes = bytes.subarray(94, 126);
  const x = publicBytes.toString('base64url');
  const privateKey = createPrivateKey({
    key: { ...curve, d: seed.toString('base64url'), x },
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
  const whole = sign(
    undefined,
    Buffer.concat([signature, Buffer.from(trustedComment)]),
    key.privateKey,
  );

  return [
    'untrusted comment: check with minisign -V, and the public key from where you trust it',
    Buffer.concat([prehashedAlgorithm, key.keyId, signature]).toString('base64'),
    `${commentPrefix}${trustedComment}`,
    whole.toString('base64'),
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

  if (
    !verify(
      undefined,
      Buffer.concat([signature, Buffer.from(text)]),
      key,
      Buffer.from(whole, 'base64'),
    )
  ) {
    return { problem: 'has a comment that was not signed with it' };
  }

  return { comment: text };
}

/** A key in the form of `minisign -P`. */
function readPublicKey(publicKey: string): KeyObject {
  return createPublicKey({
    key: { ...curve, x: readRawKey(publicKey).toString('base64url') },
    format: 'jwk',
  });
}

function prehash(body: Uint8Array): Buffer {
  return createHash('blake2b512').update(body).digest();
}

/*
 * Statements in DSSE envelopes (https://github.com/secure-systems-lab/dsse, v1.0.2). The signature also covers the media type
 * of the content. cosign and other tools read the bundle around the envelope.
 */

/** Deterministic. */
export function signStatement(
  statement: object,
  { privateKey, publicKey }: SigningKey,
): StatementBundle {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign(undefined, encode(statementMediaType, payload), privateKey).toString('base64');
  const keyid = computeKeyId(publicKey);

  return {
    mediaType: bundleMediaType,
    verificationMaterial: { publicKey: { hint: keyid } },
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType: statementMediaType,
      signatures: [{ sig, keyid }],
    },
  };
}

/** The ids of the keys that a bundle names. */
export function listSigners({ dsseEnvelope }: StatementBundle): string[] {
  return dsseEnvelope.signatures.map(({ keyid }) => keyid);
}

/** The unparsed statement in an envelope; undefined if the key did not sign it. */
export function openEnvelope(
  { dsseEnvelope }: StatementBundle,
  publicKey: string,
): Buffer | undefined {
  const { payload, payloadType, signatures } = dsseEnvelope;
  const body = Buffer.from(payload, 'base64');
  const [content, key] = [encode(payloadType, body), readPublicKey(publicKey)];
  const isSigned = signatures.some(({ sig }) =>
    verify(undefined, content, key, Buffer.from(sig, 'base64')),
  );
  return isSigned ? body : undefined;
}

/** The bytes to sign: the pre-authentication encoding (PAE) of DSSE. */
function encode(payloadType: string, payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `),
    payload,
  ]);
}
