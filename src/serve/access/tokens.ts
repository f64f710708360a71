import * as z from 'zod';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { msPerDay } from '../../core/day.ts';
import {
  intersectPermissions,
  permissions,
  type AccessKey,
  type Permission,
} from '../../core/schema/access.ts';

/** An access key, or a token that was made from one. */
export interface Credential {
  readonly key: AccessKey;
  readonly permissions: readonly Permission[];
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The end of the last day of a key. */
export function findEnd({ expires }: AccessKey): number {
  return Date.parse(expires) + msPerDay;
}

const Claims = z.object({ exp: z.number(), permissions: z.array(z.enum(permissions)) });

/** Makes a token for one address, signed with the digest of the key: it ends with the key, or when the key leaves the list. */
export function makeToken(
  { key, permissions: granted, expiresAt }: Credential,
  baseUrl: string,
): Promise<string> {
  return new SignJWT({ permissions: granted })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.name })
    .setIssuer(baseUrl)
    .setAudience(baseUrl)
    .setSubject(key.user)
    .setIssuedAt()
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(deriveSecret(key));
}

/** The rights of a token; undefined if it is invalid. */
export async function readToken(
  token: string,
  keys: readonly AccessKey[],
  baseUrl: string,
): Promise<Credential | undefined> {
  try {
    const name = decodeProtectedHeader(token).kid;
    const key = keys.find((each) => each.name === name);
    if (!key) {
      return undefined;
    }

    const options = { algorithms: ['HS256'], issuer: baseUrl, audience: baseUrl };
    const { payload } = await jwtVerify(token, deriveSecret(key), options);
    const claims = Claims.parse(payload);
    return {
      key,
      permissions: intersectPermissions(key, claims),
      expiresAt: Math.min(findEnd(key), claims.exp * 1000),
    };
  } catch {
    return undefined;
  }
}

function deriveSecret({ sha256 }: AccessKey): Uint8Array {
  return new TextEncoder().encode(`release-index token ${sha256}`);
}
