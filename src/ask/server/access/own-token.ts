import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import * as z from 'zod';
import type { AccessKey, AccessKeys } from '../../../core/schemas/access/access-keys.ts';
import { rejectPadding } from './issuer-tokens.ts';
import { limitFields, type Limits } from '../../../core/schemas/access/permissions.ts';

const algorithm = 'HS256';

const Claims = z.object({ exp: z.number(), ...limitFields });

interface OwnToken {
  /** The access key of the token, with which it ends. */
  readonly key: AccessKey;
  readonly limits: Limits;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The end of the last day of the access key. */
export function endOf({ expires }: AccessKey): number {
  return Date.parse(expires) + 86_400_000;
}

/** A JWT that is valid at only one address, within its own limits and the limits of its key. */
export async function signToken(
  { key, limits: { permissions }, expiresAt }: OwnToken,
  baseUrl: string,
  now: number,
): Promise<string> {
  return new SignJWT({ permissions })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: key.name })
    .setIssuer(baseUrl)
    .setAudience(baseUrl)
    .setSubject(key.user)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(await signingKey(key, baseUrl));
}

/** Whether a token claims to be from the index. */
export function isOwnToken(token: string, baseUrl: string): boolean {
  try {
    return decodeJwt(token).iss === baseUrl;
  } catch {
    return false;
  }
}

/** Throws if the token is invalid, or its key is revoked or has expired. */
export async function readAccessToken(
  token: string,
  keys: AccessKeys,
  baseUrl: string,
  now: number,
): Promise<OwnToken> {
  rejectPadding(token);

  const { kid } = decodeProtectedHeader(token);
  const key = keys.find(({ name }) => name === kid);
  if (!key || now >= endOf(key)) {
    throw new Error('The key of the token is no longer valid.');
  }

  const { payload } = await jwtVerify(token, await signingKey(key, baseUrl), {
    algorithms: [algorithm],
    issuer: baseUrl,
    audience: baseUrl,
    currentDate: new Date(now),
  });

  const { exp, ...limits } = Claims.parse(payload);

  return { key, limits, expiresAt: exp * 1000 };
}

/** Derived from the stored digest of the access key, so no other secret is needed (RFC 5869). */
async function signingKey({ sha256 }: AccessKey, baseUrl: string) {
  const bytes = Uint8Array.from(sha256.matchAll(/../g), ([digits]) => Number.parseInt(digits, 16));
  const secret = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode(`release-index access token ${baseUrl}`);

  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    secret,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign', 'verify'],
  );
}
