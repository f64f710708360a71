import { sign, verify } from 'node:crypto';
import {
  bundleMediaType,
  statementMediaType,
  type AttestationBundle,
  type Statement,
} from '../../core/schemas/published/statement.ts';
import { keyIdOf } from '../../core/schemas/signing-public-key.ts';
import { readPublicKey, type SigningKey } from './minisign.ts';

/*
 * Statements in DSSE envelopes (https://github.com/secure-systems-lab/dsse, v1.0.2), whose signature covers the type of their
 * content. cosign and other tools read the bundle around the envelope.
 */

/** The same bytes for the same statement and key. */
export function signStatement(
  statement: Statement,
  { privateKey, publicKey }: SigningKey,
): AttestationBundle {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign(undefined, encode(statementMediaType, payload), privateKey).toString('base64');
  const keyid = keyIdOf(publicKey);
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

/** The id of the key that a bundle names. */
export function signerOf({ dsseEnvelope }: AttestationBundle): string {
  return dsseEnvelope.signatures[0]!.keyid;
}

/** The unparsed statement in an envelope; undefined where the key did not sign it. */
export function openEnvelope({ dsseEnvelope }: AttestationBundle, publicKey: string): Buffer | undefined {
  const { payload, payloadType, signatures } = dsseEnvelope;
  const body = Buffer.from(payload, 'base64');
  const signature = Buffer.from(signatures[0]!.sig, 'base64');
  const isOurs = verify(undefined, encode(payloadType, body), readPublicKey(publicKey), signature);
  return isOurs ? body : undefined;
}

/** The pre-authentication encoding, which is signed. */
function encode(payloadType: string, payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `),
    payload,
  ]);
}
