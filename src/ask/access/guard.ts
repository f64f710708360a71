import { toDay } from '../../core/dates.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { accessKeyPrefix, type AccessKey, type AccessKeys } from '../../core/schemas/access-keys.ts';
import { sha256Hex } from '../sha256.ts';
import { readAuthorization } from './authorization.ts';
import { deny, type Denial } from './deny.ts';
import { IssuerTroubleError } from './issuer-json.ts';
import { createJwtReader } from './jwt-reader.ts';
import { matchUser } from './match-user.ts';
import { createOpaqueReader } from './opaque-reader.ts';
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

/** Answers a request that is rejected; undefined for one that is authorized. */
export type Guard = (request: Request) => Promise<Response | undefined>;

/** Accepts an access key, or a token of a user, in the header `Authorization` and nowhere else. */
export function createGuard({ access, keys, baseUrl, onTrouble, now = Date.now }: GuardSettings): Guard {
  const { users, externalOauth, accessKeys } = access;
  const acceptsBasic = access.protect === 'everything';
  const readers = externalOauth.issuers.map((issuer) =>
    issuer.accessTokenFormat === 'jwt' ? createJwtReader(issuer, now) : createOpaqueReader(issuer, now),
  );

  async function checkRequest(request: Request): Promise<Denial | undefined> {
    const header = request.headers.get('authorization');
    if (header !== null && isReadableOnTheWay(request.url)) return 'plain-http';
    const credential = readAuthorization(header, acceptsBasic);
    if (credential.kind === 'none') return 'no-credential';
    if (credential.kind === 'malformed') return 'invalid-token';
    const { secret, isKey } = credential;
    const key = await findAccessKey(secret, accessKeys.enabled ? keys : []);
    if (key) {
      if (toDay(new Date(now())) > key.expires) return 'invalid-token';
      return users.some(({ username }) => username === key.user) ? undefined : 'no-user';
    }
    // An unknown or truncated key is never sent to an issuer.
    return isKey || secret.toLowerCase().startsWith(accessKeyPrefix) ? 'invalid-token' : checkToken(secret);
  }

  async function checkToken(token: string): Promise<Denial | undefined> {
    let denial: Denial = 'invalid-token';
    for (const reader of selectReaders(token, readers, externalOauth.opaqueTokenFanOut)) {
      try {
        return matchUser(await reader.read(token), reader.issuer, users);
      } catch (error) {
        if (!(error instanceof IssuerTroubleError)) continue;
        onTrouble(error.message);
        denial = 'no-answer';
      }
    }
    return denial;
  }

  return async (request) => {
    const denial = await checkRequest(request);
    return denial && deny(request, denial, { baseUrl, acceptsBasic });
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
