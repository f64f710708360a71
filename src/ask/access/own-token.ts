import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import * as z from 'zod';
import type { AccessKey, AccessKeys } from '../../core/schemas/access-keys.ts';
import { rejectPadding } from './issuer-tokens.ts';
import { limitFields, type Limits } from '../../core/schemas/permissions.ts';

const algorithm = 'HS256';

const Claims = z.object({ exp: z.number(), ...limitFields });

export interface OwnToken {
  /** The access key that it was made from, and with which it ends. */
  readonly key: AccessKey;
  readonly limits: Limits;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The access key ends with its last day. */
export function endOf({ expires }: AccessKey): number {
  return Date.parse(expires) + 86_400_000;
}

/** A JWT that is valid below one address only. It may do no more than its limits and those of its key allow. */
export async function signToken(
  { key, limits: { permissions, components }, expiresAt }: OwnToken,
  baseUrl: string,
  now: number,
): Promise<string> {
  return new SignJWT({ permissions, components })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: key.name })
    .setIssuer(baseUrl)
    .setAudience(baseUrl)
    .setSubject(key.user)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(await signingKey(key, baseUrl));
}

/** Whether a token says of itself that it is one of the index. */
export function isOwnToken(token: string, baseUrl: string): boolean {
  try {
    return decodeJwt(token).iss === baseUrl;
  } catch {
    return false;
  }
}

/** Throws where the token is not valid, or where its key is revoked or has expired. */
export async function readToken(
  token: string,
  keys: AccessKeys,
  baseUrl: string,
  now: number,
): Promise<OwnToken> {
  rejectPadding(token);
  const { kid } = decodeProtectedHeader(token);
  const key = keys.find(({ name }) => name === kid);
  if (!key || now >= endOf(key)) throw new Error('The key of the token is not valid any more.');
  const { payload } = await jwtVerify(token, await signingKey(key, baseUrl), {
    algorithms: [algorithm],
    issuer: baseUrl,
    audience: baseUrl,
    currentDate: new Date(now),
  });
  const { exp, ...limits } = Claims.parse(payload);
  return { key, limits, expiresAt: exp * 1000 };
}

/** Derived from what the host keeps of the access key, so that there is no other secret (RFC 5869). */
async function signingKey({ sha256 }: AccessKey, baseUrl: string) {
  const bytes = Uint8Array.from(sha256.match(/../g)!, (digits) => Number.parseInt(digits, 16));
  const kept = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode(`release-index access token ${baseUrl}`);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    kept,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign', 'verify'],
  );
}
