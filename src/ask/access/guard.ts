import type { AccessConfig, User } from '../../core/schemas/access-config.ts';
import { accessKeyPrefix, type AccessKey, type AccessKeys } from '../../core/schemas/access-keys.ts';
import { scopeOf, type Limits, type Scope } from '../../core/schemas/permissions.ts';
import { sha256Hex } from '../sha256.ts';
import { readAuthorization } from './authorization.ts';
import { deny, type Denial } from './deny.ts';
import { IssuerTroubleError } from './issuer-json.ts';
import { createJwtReader } from './jwt-reader.ts';
import { matchUser } from './match-user.ts';
import { createOpaqueReader } from './opaque-reader.ts';
import { endOf, isOwnToken, readToken } from './own-token.ts';
import { selectReaders } from './token-reader.ts';

export interface GuardSettings {
  readonly access: AccessConfig;
  readonly keys: AccessKeys;
  /** Where the site is published, without a slash at its end. */
  readonly baseUrl: string;
  /** Called when an issuer cannot be reached. The message holds no secret. */
  onTrouble(message: string): void;
  /** In milliseconds since 1970. */
  now?(): number;
}

/** The permissions of a client whose credential was accepted. */
export interface Grant {
  readonly scope: Scope;
  /** The access key that it sent, or that its token was made from; absent for a user of an issuer. */
  readonly key?: AccessKey;
  /** When the key or the token ends, in milliseconds since 1970. */
  readonly expiresAt?: number;
  /** The limits of its token, if it sent one. */
  readonly ofToken?: Limits;
}

/** The answer to a request that is rejected, or what it may do. */
export type Guard = (request: Request) => Promise<Response | Grant>;

/** Accepts an access key, a token made from one, or a token of a user, in the header `Authorization` and nowhere else. */
export function createGuard({ access, keys, baseUrl, onTrouble, now = Date.now }: GuardSettings): Guard {
  const { users, externalOauth, accessKeys } = access;
  const acceptsBasic = access.protect === 'everything';
  const validKeys = accessKeys.enabled ? keys : [];
  const readers = externalOauth.issuers.map((issuer) =>
    issuer.accessTokenFormat === 'jwt' ? createJwtReader(issuer, now) : createOpaqueReader(issuer, now),
  );

  async function checkRequest(request: Request): Promise<Denial | Grant> {
    const header = request.headers.get('authorization');
    if (header !== null && isReadableOnTheWay(request.url)) return 'plain-http';
    const credential = readAuthorization(header, acceptsBasic);
    if (credential.kind === 'none') return 'no-credential';
    if (credential.kind === 'malformed') return 'invalid-token';
    const { secret, isKey } = credential;
    const key = await findAccessKey(secret, validKeys);
    if (key) return now() < endOf(key) ? grantOf(key, endOf(key)) : 'invalid-token';
    // An unknown or truncated key is never sent to an issuer.
    if (secret.toLowerCase().startsWith(accessKeyPrefix)) return 'invalid-token';
    if (isOwnToken(secret, baseUrl)) return checkOwnToken(secret);
    return isKey ? 'invalid-token' : checkToken(secret);
  }

  async function checkOwnToken(token: string): Promise<Denial | Grant> {
    try {
      const { key, limits, expiresAt } = await readToken(token, validKeys, baseUrl, now());
      return grantOf(key, Math.min(expiresAt, endOf(key)), limits);
    } catch {
      return 'invalid-token';
    }
  }

  /** A key may do what its user may, at most. */
  function grantOf(key: AccessKey, expiresAt: number, ofToken: Limits = {}): Denial | Grant {
    const user = users.find(({ username }) => username === key.user);
    return user ? { scope: scopeOf(user, key, ofToken), key, expiresAt, ofToken } : 'no-user';
  }

  async function checkToken(token: string): Promise<Denial | Grant> {
    let denial: Denial = 'invalid-token';
    for (const reader of selectReaders(token, readers, externalOauth.opaqueTokenFanOut)) {
      try {
        const user: User | Denial = matchUser(await reader.read(token), reader.issuer, users);
        return typeof user === 'string' ? user : { scope: scopeOf(user) };
      } catch (error) {
        if (!(error instanceof IssuerTroubleError)) continue;
        onTrouble(error.message);
        denial = 'no-answer';
      }
    }
    return denial;
  }

  return async (request) => {
    const checked = await checkRequest(request);
    return typeof checked === 'string' ? deny(request, checked, { baseUrl, acceptsBasic }) : checked;
  };
}

/** Plain http, except on loopback, which nothing else can read. */
function isReadableOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** The key with the digest of the secret. All digests are compared in full, so the time taken reveals nothing of them. */
async function findAccessKey(secret: string, keys: AccessKeys): Promise<AccessKey | undefined> {
  const digest = await sha256Hex(secret);
  let found: AccessKey | undefined;
  for (const key of keys) if (isEqual(digest, key.sha256)) found = key;
  return found;
}

/** The host has no `timingSafeEqual` of Node. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}
