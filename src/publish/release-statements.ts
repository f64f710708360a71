import { sign, verify } from 'node:crypto';
import { inputError } from '../core/errors.ts';
import { pick } from '../core/objects.ts';
import { formatPurl, parsePurl } from '../core/purl.ts';
import type { Component } from '../core/schema/published.ts';
import { parseStatements, type SignedStatement } from '../core/schema/statement.ts';
import { statementsFolder } from '../core/sha256sums.ts';
import { openPublicKey } from '../core/public-key.ts';
import { computeKeyId, type SigningKey } from './minisign.ts';

/*
 * Creates, signs and reads in-toto statements about releases (in-toto.io/Statement/v1).
 * - Each statement is in a DSSE envelope, whose signature also covers the media type.
 * - Each envelope is in a Sigstore bundle v0.3, so that cosign can read it.
 */

const payloadType = 'application/vnd.in-toto+json';
const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

/**
 * Returns a statement about each release with digests, which says that its files have these digests. An unchanged release has the same
 * statement every day, byte by byte.
 */
export function describeReleases({ component, releases, packages }: Component, baseUrl: string) {
  const purl = parsePurl(packages[0] ?? '');
  const published = releases.filter(({ digests = [] }) => digests.length > 0);
  return published.map(({ digests = [], ...release }) => {
    const { version } = release;
    const id = `${component}/${version}`;
    const name = purl ? formatPurl({ ...purl, version }) : id;
    return {
      _type: 'https://in-toto.io/Statement/v1',
      subject: digests.map((digest) => {
        const [algorithm = '', hex = ''] = digest.split(':');
        return { name, digest: { [algorithm]: hex } };
      }),
      predicateType: `${baseUrl}/schema/release-statement.json`,
      predicate: {
        id,
        component,
        ...pick(release, ['version', 'line', 'releaseTimestamp', 'supportedUntil', 'isDeprecated']),
      },
    };
  });
}

/**
 * Returns the path of a component's statements: `statements/svc.ndjson`. The path is the same in a published site and below `site/` of an
 * index.
 */
export function nameStatements(component: string): string {
  return `${statementsFolder}${component}.ndjson`;
}

/** Signs a statement. The same statement has the same signature. */
export function signStatement(
  statement: ReturnType<typeof describeReleases>[number],
  { privateKey, publicKey }: SigningKey,
) {
  const body = Buffer.from(JSON.stringify(statement));
  const sig = sign(undefined, encode(body), privateKey).toString('base64');
  const keyid = computeKeyId(publicKey);
  return {
    mediaType: bundleType,
    verificationMaterial: { publicKey: { hint: keyid } },
    dsseEnvelope: { payload: body.toString('base64'), payloadType, signatures: [{ sig, keyid }] },
  };
}

/** The key whose statements are accepted, and the component and index that they must be about. */
interface Signer {
  publicKey: string;
  baseUrl: string;
  component: string;
}

/**
 * Checks the statements that name this key. Throws an `InputError` if the key did not sign them for this component of this index.
 * - `versions`: the versions in these statements.
 * - `byOthers`: the number of statements by other keys, which are not checked.
 */
export function openStatements(
  text: string,
  path: string,
  { publicKey, baseUrl, component }: Signer,
) {
  const ownId = computeKeyId(publicKey);
  const all = parseStatements(text, path);
  const own = all.filter(({ envelope }) => envelope.signatures[0]?.keyid === ownId);
  const versions = own.map(({ envelope, statement: { predicateType, predicate } }) => {
    const isOfIndex = predicateType?.startsWith(`${baseUrl}/`) && predicate.component === component;
    if (!isOfIndex || !isSigned(envelope, publicKey)) {
      throw inputError(
        path,
        'has a statement that the key did not sign for this component of this index',
      );
    }
    return predicate.version;
  });
  return { versions: new Set(versions), byOthers: all.length - own.length };
}

function isSigned(envelope: SignedStatement['envelope'], publicKey: string): boolean {
  const body = encode(Buffer.from(envelope.payload, 'base64'));
  const signature = Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64');
  const isOurs = envelope.payloadType === payloadType;
  return isOurs && verify(undefined, body, openPublicKey(publicKey), signature);
}

/** Returns the bytes that a DSSE signature covers (pre-authentication encoding). */
function encode(body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `),
    body,
  ]);
}
