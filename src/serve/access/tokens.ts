import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
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
  return Date.parse(expires) + 86_400_000;
}

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
    .sign(readSecret(key));
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

    const options = {
      algorithms: ['HS256'],
      issuer: baseUrl,
      audience: baseUrl,
      requiredClaims: ['exp', 'permissions'],
    };
    const { payload } = await jwtVerify(token, readSecret(key), options);
    const stated = [payload['permissions']].flat();
    const limit = { permissions: permissions.filter((permission) => stated.includes(permission)) };
    return {
      key,
      permissions: intersectPermissions(key, limit),
      expiresAt: Math.min(findEnd(key), payload.exp! * 1000),
    };
  } catch {
    return undefined;
  }
}

function readSecret({ sha256 }: AccessKey): Uint8Array {
  return new TextEncoder().encode(`release-index token ${sha256}`);
}
