import type { Component } from '../core/schema/published.ts';
import { sign, verify } from 'node:crypto';
import { computeKeyId, openPublicKey, type SigningKey } from './minisign.ts';

/*
 * In-toto statements about releases (in-toto.io/Statement/v1) in DSSE envelopes, whose signature also covers the media type. The
 * Sigstore bundle v0.3 around an envelope is for cosign.
 */

const payloadType = 'application/vnd.in-toto+json';
const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

export interface Statement {
  _type: 'https://in-toto.io/Statement/v1';
  /** The artifacts of a release by their publisher's own digests. */
  subject: { name: string; digest: Record<string, string> }[];
  predicateType: string;
  /** It changes only when the facts change, so the same release has the same bytes every day. */
  predicate: {
    id: string;
    component: string;
    version: string;
    line: string;
    releaseTimestamp?: string;
    supportedUntil?: string;
    isDeprecated: boolean;
  };
}

export interface Bundle {
  mediaType: string;
  verificationMaterial: { publicKey: { hint: string } };
  dsseEnvelope: {
    payload: string;
    payloadType: string;
    signatures: { sig: string; keyid: string }[];
  };
}

/** A statement for each release with digests, which are of its files. */
export function describeReleases(
  { component, releases, lines, packages: [purl] }: Component,
  baseUrl: string,
): Statement[] {
  const statements: Statement[] = [];
  for (const { version, line, releaseTimestamp, isDeprecated, digests } of releases) {
    const supportedUntil = lines.find((each) => each.line === line)?.supportedUntil;
    const subject = (digests ?? []).map((digest) => {
      const [algorithm = '', hex = ''] = digest.split(':');
      return {
        name: purl === undefined ? `${component}/${version}` : `${purl}@${version}`,
        digest: { [algorithm]: hex },
      };
    });
    if (subject.length > 0) {
      const facts = {
        component,
        version,
        line,
        ...(releaseTimestamp && { releaseTimestamp }),
        ...(supportedUntil && { supportedUntil }),
        isDeprecated,
      };
      statements.push({
        _type: 'https://in-toto.io/Statement/v1',
        subject,
        predicateType: `${baseUrl}/schema/release-statement.json`,
        predicate: { id: `${component}/${version}`, ...facts },
      });
    }
  }
  return statements;
}

/** Deterministic. */
export function signStatement(statement: Statement, { privateKey, publicKey }: SigningKey): Bundle {
  const body = Buffer.from(JSON.stringify(statement));
  const sig = sign(undefined, encode(body), privateKey).toString('base64');
  const keyid = computeKeyId(publicKey);
  return {
    mediaType: bundleType,
    verificationMaterial: { publicKey: { hint: keyid } },
    dsseEnvelope: { payload: body.toString('base64'), payloadType, signatures: [{ sig, keyid }] },
  };
}

/** The statement in a line of `statements/`; undefined unless the key signed it. */
export function openStatement(line: string, publicKey: string): Statement | undefined {
  const { dsseEnvelope } = JSON.parse(line) as Bundle;
  const body = Buffer.from(dsseEnvelope.payload, 'base64');
  const [signature] = dsseEnvelope.signatures;
  const isSigned = verify(
    undefined,
    encode(body),
    openPublicKey(publicKey),
    Buffer.from(signature?.sig ?? '', 'base64'),
  );
  return isSigned && dsseEnvelope.payloadType === payloadType
    ? (JSON.parse(body.toString()) as Statement)
    : undefined;
}

/** The pre-authentication encoding of DSSE. */
function encode(body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `),
    body,
  ]);
}
