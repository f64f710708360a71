import { sign, verify } from 'node:crypto';
import {
  bundleMediaType,
  statementMediaType,
  type StatementBundle,
} from '../../core/schemas/published/statement.ts';
import { computeKeyId, readPublicKey } from '../../core/schemas/signing-public-key.ts';
import type { SigningKey } from './minisign.ts';

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
  const sig = sign(
    undefined,
    encodeSignedContent(statementMediaType, payload),
    privateKey,
  ).toString('base64');
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

/** The unparsed statement in an envelope; undefined if the key did not sign it. */
export function openEnvelope(
  { dsseEnvelope }: StatementBundle,
  publicKey: string,
): Buffer | undefined {
  const { payload, payloadType, signatures } = dsseEnvelope;
  // The schema allows exactly one.
  const [signature] = signatures;
  const body = Buffer.from(payload, 'base64');
  const content = encodeSignedContent(payloadType, body);
  const key = readPublicKey(publicKey);
  const isSigned = verify(undefined, content, key, Buffer.from(signature!.sig, 'base64'));
  return isSigned ? body : undefined;
}

/** The bytes to sign: the pre-authentication encoding (PAE) of DSSE. */
function encodeSignedContent(payloadType: string, payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `),
    payload,
  ]);
}
