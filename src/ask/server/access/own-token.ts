/**
 * Tokens that the index makes itself, without a secret of its own. Three steps lead from an access key to a token:
 *
 * 1. An Ed25519 key pair is derived from the access key. The list of access keys has its public half, `tokenKey`.
 * 2. A token has a key pair of its own. It holds the private half as a seed, and is signed with it.
 * 3. A link is signed with the private half of the access key, or of the token that it was made from, and names the public half of the
 *    new token.
 */
import { hkdfSync } from 'node:crypto';
import type { CryptoKey } from 'jose';
import { decode, encode } from 'jose/base64url';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import * as z from 'zod';
import { msPerDay } from '../../../core/model/dates.ts';
import {
  AccessKey,
  accessKeyForm,
  type AccessKeys,
} from '../../../core/schemas/access/access-keys.ts';
import {
  limitFields,
  intersectPermissions,
  type Permission,
} from '../../../core/schemas/access/permissions.ts';
import { decodePart, InvalidToken, verifyJwt } from './issuer-tokens.ts';

const algorithm = 'EdDSA';

const TokenClaims = z.object({ exp: z.number(), ...limitFields });

/** Either half of a key pair is 32 bytes, as base64url. */
const KeyHalf = AccessKey.shape.tokenKey.unwrap();

/** Lets the owner of the private half of `publicKey` act within the limits of the link. */
const Link = TokenClaims.extend({ publicKey: KeyHalf });

/** `links`: from the access key to this token, as JWTs. `seed`: the private half. */
const Token = TokenClaims.extend({ links: z.array(z.string()), seed: KeyHalf });

/** A token with more links would not fit into a header. */
const maxLinks = 8;

/** The rights of an access key or of a token. */
export interface OwnRights {
  /** The access key, with which its tokens end. */
  readonly key: AccessKey;
  /** Those of the access key, limited by each link of a token. */
  readonly permissions: readonly Permission[];
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The end of the last day of the access key. */
export function computeKeyEnd({ expires }: AccessKey): number {
  return Date.parse(expires) + msPerDay;
}

/** The public key that verifies the first link of each token of an access key. Nobody can make a token with it, so the list of keys may hold it. */
export async function deriveTokenKey(secret: string): Promise<string> {
  return exportPublicKey(await importSeed(deriveSeed(secret)));
}

/**
 * Makes a token for one address from a valid credential: an access key, or another token. Undefined after `maxLinks`
 * tokens in a row.
 */
export async function makeToken(
  credential: string,
  { key, permissions, expiresAt }: OwnRights,
  baseUrl: string,
  now: number,
): Promise<string | undefined> {
  const { seed, links } = readSigner(credential);
  if (links.length >= maxLinks) {
    return undefined;
  }

  const sign = (claims: object, privateKey: CryptoKey) =>
    new SignJWT({ permissions, ...claims })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: key.name })
      .setIssuer(baseUrl)
      .setAudience(baseUrl)
      .setSubject(key.user)
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .sign(privateKey);
  const newSeed = crypto.getRandomValues(new Uint8Array(32));
  const newKey = await importSeed(newSeed);
  const link = await sign({ publicKey: await exportPublicKey(newKey) }, await importSeed(seed));

  return sign({ links: [...links, link], seed: encode(newSeed) }, newKey);
}

/** Whether a token claims to be from the index. */
export function isOwnToken(token: string, baseUrl: string): boolean {
  return decodePart(token, decodeJwt)?.iss === baseUrl;
}

/** The rights of a token: at most those of each link. Throws an `InvalidToken`, also if its access key is revoked or has expired. */
export async function readAccessToken(
  token: string,
  keys: AccessKeys,
  baseUrl: string,
  now: number,
): Promise<OwnRights> {
  const name = decodePart(token, decodeProtectedHeader)?.kid;
  const key = keys.find((each) => each.name === name);
  if (!key || key.tokenKey === undefined || now >= computeKeyEnd(key)) {
    throw new InvalidToken('The key of the token is no longer valid.');
  }

  // Verified only at the end, with the public key that the last link names.
  const { links } = parseClaims(Token, decodeJwt(token));
  const claims: z.infer<typeof TokenClaims>[] = [];
  let publicKey = key.tokenKey;
  for (const text of links) {
    const link = parseClaims(Link, await verifyToken(text, publicKey, baseUrl, now));
    claims.push(link);
    publicKey = link.publicKey;
  }
  claims.push(parseClaims(Token, await verifyToken(token, publicKey, baseUrl, now)));

  return {
    key,
    permissions: intersectPermissions(key, ...claims),
    expiresAt: Math.min(computeKeyEnd(key), ...claims.map(({ exp }) => exp * 1000)),
  };
}

function parseClaims<Schema extends z.ZodType>(schema: Schema, claims: object): z.infer<Schema> {
  const { data, success } = schema.safeParse(claims);
  if (!success) {
    throw new InvalidToken('The token lacks a claim.');
  }

  return data;
}

/** The claims of a token or of one of its links. */
async function verifyToken(
  token: string,
  publicKey: string,
  baseUrl: string,
  now: number,
): Promise<object> {
  const verificationKey = await importPublicKey(publicKey);
  const { payload } = await verifyJwt(token, () => verificationKey, {
    algorithms: [algorithm],
    issuer: baseUrl,
    audience: baseUrl,
    currentDate: new Date(now),
  });
  return payload;
}

/** The seed of the key with which a credential signs, and the links from the access key to it. */
function readSigner(credential: string): { seed: Uint8Array; links: string[] } {
  if (accessKeyForm.test(credential)) {
    return { seed: deriveSeed(credential), links: [] };
  }

  const { seed, links } = Token.parse(decodeJwt(credential));
  return { seed: decode(seed), links };
}

/** Derives the seed from an access key (RFC 5869). */
function deriveSeed(accessKey: string): Uint8Array {
  const info = 'release-index access token';
  return new Uint8Array(hkdfSync('sha256', accessKey, '', info, 32));
}

/** A private key of Ed25519 as PKCS #8 before its seed (RFC 8410, section 7). */
const privateKeyStart = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

function importSeed(seed: Uint8Array): Promise<CryptoKey> {
  const bytes = Uint8Array.from([...privateKeyStart, ...seed]);
  return crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', true, ['sign']);
}

function importPublicKey(publicKey: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(decode(publicKey));
  return crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);
}

async function exportPublicKey(privateKey: CryptoKey): Promise<string> {
  const { x } = await crypto.subtle.exportKey('jwk', privateKey);
  // RFC 8037, section 2: every Ed25519 key has it.
  return x!;
}
