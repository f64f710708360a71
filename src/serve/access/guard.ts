/** Checks who may send requests. Accepts access keys, tokens made from them, and tokens of identity providers (issuers). */
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { hash } from 'node:crypto';
import * as z from 'zod';
import { msPerDay } from '../../core/day.ts';
import {
  type AccessConfig,
  type AccessKey,
  accessKeyPrefix,
  intersectPermissions,
  type Permission,
  permissions,
} from '../../core/schema/access.ts';
import { isServiceUrl } from '../../core/schema/scalars.ts';
import { Denied } from './denied.ts';
import { openIssuers, readIssuer } from './issuers.ts';

export const metadataPath = '/.well-known/oauth-protected-resource/mcp';

/** Returns the value of `WWW-Authenticate` (RFC 6750, section 3; RFC 9728, section 5.1). */
export function createChallenge({ denial, status, message }: Denied, baseUrl: string): string {
  const hasCredential = denial !== 'no-credential';
  const code = status === 403 ? 'insufficient_scope' : 'invalid_token';
  const parts = [
    'realm="mcp"',
    // An unknown user gets no `error`. Otherwise clients would let the same person sign in again.
    hasCredential && denial !== 'no-user' && `error="${code}"`,
    hasCredential && `error_description="${message}"`,
    `resource_metadata="${baseUrl}${metadataPath}"`,
  ];
  return `Bearer ${parts.filter(Boolean).join(', ')}`;
}

/** The rights of a client. A token of an issuer gives only permissions. */
export type Grant = Credential | Pick<Credential, 'permissions'>;

export type Access = ReturnType<typeof openAccess>;

/** Checks the credentials of requests: access keys, tokens made from them, and tokens of issuers. */
export function openAccess(config: AccessConfig, keys: readonly AccessKey[], baseUrl: string) {
  const { users, mcpServer } = config;
  const matchToken = openIssuers(config.accessControl.externalOauth);

  return {
    config,
    /**
     * Returns the rights of the credential in a request. Throws `Denied` if there is no valid credential. `needed`: the permission that the
     * request needs. The caller checks whether the credential has it.
     */
    async check(request: Request, needed: Permission): Promise<Grant> {
      const header = request.headers.get('authorization');
      if (header !== null && !isServiceUrl(request.url)) {
        throw new Denied('plain-http');
      }

      const { secret, isPassword } = readAuthorization(header, needed !== 'mcp');
      const acceptedKeys = needed === 'mcp' && !mcpServer.accessKeys.enabled ? [] : keys;
      const credential = await readCredential(secret, acceptedKeys, baseUrl);
      if (credential) {
        const user = users.find(({ username }) => username === credential.key.user);
        if (!user) {
          throw new Denied('no-user');
        }

        return { ...credential, permissions: intersectPermissions(user, credential) };
      }

      // An access key is never sent to an issuer, even if the key is unknown or truncated.
      if (isPassword || secret.toLowerCase().startsWith(accessKeyPrefix)) {
        throw new Denied('invalid-token');
      }
      return { permissions: intersectPermissions(await matchToken(secret, users)) };
    },
  };
}

/** Returns the rights of an access key, or of a token made from an access key. Undefined for any other text. */
async function readCredential(
  secret: string,
  keys: readonly AccessKey[],
  baseUrl: string,
): Promise<Credential | undefined> {
  const digest = hash('sha256', secret);
  const key = keys.find(({ sha256 }) => sha256 === digest);
  if (!key && readIssuer(secret) !== baseUrl) {
    return undefined;
  }

  const credential = key
    ? { key, permissions: intersectPermissions(key), expiresAt: findEnd(key) }
    : await readToken(secret, keys, baseUrl);
  if (!credential || Date.now() >= credential.expiresAt) {
    throw new Denied('invalid-token');
  }

  return credential;
}

/** Matches `token68` (RFC 9110, section 11.2). Real tokens of issuers are never longer. */
const tokenForm = /^[A-Za-z0-9\-._~+/]{1,8192}=*$/;

/**
 * Reads a Bearer token, or the password of Basic authentication (RFC 7617). The user name is ignored. `/mcp` accepts only Bearer tokens.
 */
function readAuthorization(header: string | null, acceptsBasic: boolean) {
  const [, scheme = '', value = ''] = /^([^\s,]*)\s*(.*)$/s.exec(header?.trim() ?? '') ?? [];
  const isPassword = scheme.toLowerCase() === 'basic' && acceptsBasic;
  if (!isPassword && scheme.toLowerCase() !== 'bearer') {
    throw new Denied('no-credential');
  }

  const secret = isPassword ? readPassword(value) : value;
  if (!tokenForm.test(secret)) {
    throw new Denied('invalid-token');
  }

  return { secret, isPassword };
}

function readPassword(value: string): string {
  try {
    return atob(value).replace(/^[^:]*:?/, '');
  } catch {
    return '';
  }
}

/** An access key, or a token that was made from an access key. */
export interface Credential {
  readonly key: AccessKey;
  readonly permissions: readonly Permission[];
  /** When the credential expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Returns the end of the last day on which a key is valid, in milliseconds since 1970. */
function findEnd({ expires }: AccessKey): number {
  return Date.parse(expires) + msPerDay;
}

const Claims = z.object({ exp: z.number(), permissions: z.array(z.enum(permissions)) });

/**
 * Makes a token for one URL, signed with the digest of an access key. The token expires with the key at the latest. If the key is removed
 * from the list, the token becomes invalid.
 */
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

/** Returns the rights of a token. Undefined if the token is invalid. */
async function readToken(
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
