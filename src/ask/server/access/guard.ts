import { timingSafeEqual } from 'node:crypto';
import { computeSha256 } from '../../../core/model/digest.ts';
import type { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import {
  accessKeyPrefix,
  type AccessKey,
  type AccessKeys,
} from '../../../core/schemas/access/access-keys.ts';
import { intersectPermissions, type Permission } from '../../../core/schemas/access/permissions.ts';
import { isUnsafeHttp } from '../../../core/schemas/urls.ts';
import { answerFailure } from '../api/respond.ts';
import { deny, type Denial } from './deny.ts';
import {
  createJwtReader,
  InvalidToken,
  IssuerError,
  selectReaders,
  type TokenReader,
} from './issuer-tokens.ts';
import { matchUser } from './match-user.ts';
import { createOpaqueReader } from './opaque-tokens.ts';
import { computeKeyEnd, isOwnToken, readAccessToken, type OwnRights } from './own-token.ts';

interface GuardSettings {
  readonly access: AccessConfig;
  readonly keys: AccessKeys;
  /** The address of the site, without a slash at its end. */
  readonly baseUrl: string;
  /** Called with a message without secrets when an issuer cannot be reached, and with each failure of the program. */
  onTrouble(trouble: unknown): void;
  /** In milliseconds since 1970. */
  now?(): number;
}

/** The permissions of a client whose credential was accepted. */
export interface Grant {
  readonly permissions: readonly Permission[];
  /** The accepted credential, from which tokens can be made. Absent for a user of an issuer. */
  readonly credential?: KeyCredential;
}

/** An access key, or a token that was made from one. */
export interface KeyCredential extends OwnRights {
  /** The text of the key or the token, which signs further tokens. */
  readonly secret: string;
}

/** The permissions of an accepted request; else the answer, also after a failure of the program. */
export type Guard = (request: Request) => Promise<Response | Grant>;

/** Accepts an access key, a token made from a key, or a token of a user, only in the header `Authorization`. */
export function createGuard({
  access,
  keys,
  baseUrl,
  onTrouble,
  now = Date.now,
}: GuardSettings): Guard {
  const { users, externalOauth, accessKeys } = access;
  const acceptsBasic = access.protect === 'everything';
  const listedKeys = accessKeys.enabled ? keys : [];
  const readers = externalOauth.issuers.map((issuer) =>
    issuer.accessTokenFormat === 'jwt'
      ? createJwtReader(issuer, now)
      : createOpaqueReader(issuer, now),
  );

  async function checkRequest(request: Request): Promise<Denial | Grant> {
    const header = request.headers.get('authorization');
    if (header !== null && isUnsafeHttp(request.url)) {
      return 'plain-http';
    }

    const authorization = readAuthorization(header, acceptsBasic);
    return typeof authorization === 'string' ? authorization : checkSecret(authorization);
  }

  async function checkSecret({ secret, isPassword }: Authorization): Promise<Denial | Grant> {
    const key = await findAccessKey(secret, listedKeys);
    if (key) {
      const permissions = intersectPermissions(key);
      const rights = { key, permissions, expiresAt: computeKeyEnd(key) };
      return now() < rights.expiresAt ? grantAccess(users, secret, rights) : 'invalid-token';
    }

    // An unknown or truncated key is never sent to an issuer.
    if (secret.toLowerCase().startsWith(accessKeyPrefix)) {
      return 'invalid-token';
    }
    if (isOwnToken(secret, baseUrl)) {
      return grantAccess(users, secret, await readAccessToken(secret, listedKeys, baseUrl, now()));
    }

    return isPassword ? 'invalid-token' : checkIssuerToken(secret, access, readers, onTrouble);
  }

  return async (request) => {
    const reject = (denial: Denial) => deny(request, denial, { baseUrl, acceptsBasic });
    try {
      const result = await checkRequest(request);
      return typeof result === 'string' ? reject(result) : result;
    } catch (error) {
      if (error instanceof InvalidToken) {
        return reject('invalid-token');
      }

      onTrouble(error);
      return answerFailure(request);
    }
  };
}

/** A key or its token has at most the permissions of its user. */
function grantAccess(
  users: AccessConfig['users'],
  secret: string,
  rights: OwnRights,
): Denial | Grant {
  const user = users.find(({ username }) => username === rights.key.user);
  if (!user) {
    return 'no-user';
  }

  const permissions = intersectPermissions(user, rights);
  return { permissions, credential: { ...rights, permissions, secret } };
}

/** Asks the issuers that may have made a token. An issuer that rejects it or does not answer leaves it to the others. */
async function checkIssuerToken(
  token: string,
  { users, externalOauth }: AccessConfig,
  readers: readonly TokenReader[],
  onTrouble: GuardSettings['onTrouble'],
): Promise<Denial | Grant> {
  let denial: Denial = 'invalid-token';

  for (const reader of selectReaders(token, readers, externalOauth)) {
    try {
      const user = matchUser(await reader.read(token), reader.issuer, users);
      return typeof user === 'string' ? user : { permissions: intersectPermissions(user) };
    } catch (error) {
      if (error instanceof IssuerError) {
        onTrouble(error.message);
        denial = 'no-answer';
      } else if (!(error instanceof InvalidToken)) {
        throw error;
      }
    }
  }

  return denial;
}

/** What the header `Authorization` holds. */
interface Authorization {
  /** A key or a token. */
  readonly secret: string;
  /** Whether it was sent by Basic: issuers make tokens for Bearer only. */
  readonly isPassword: boolean;
}

/** Longer than any token of an issuer. Longer ones are not hashed. */
const maxCharacters = 8192;

/**
 * Reads the header `Authorization`: Bearer, and with `acceptsBasic` also Basic. Another scheme is no credential (RFC 6750,
 * section 3.1). Several headers arrive as one with commas, which is malformed.
 */
export function readAuthorization(
  header: string | null,
  acceptsBasic: boolean,
): Authorization | Denial {
  const text = header?.trim() ?? '';
  const [scheme = ''] = text.split(/[\s,]/, 1);
  const value = text.slice(scheme.length).trimStart();
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return isToken(value) ? { secret: value, isPassword: false } : 'invalid-token';
    case 'basic':
      return acceptsBasic ? readBasic(value) : 'no-credential';
    default:
      return 'no-credential';
  }
}

/** The password is the key or a token; the user name is ignored (RFC 7617). */
function readBasic(value: string): Authorization | Denial {
  try {
    const text = atob(value);
    const colon = text.indexOf(':');
    const password = text.slice(colon + 1);
    return colon === -1 || !isToken(password)
      ? 'invalid-token'
      : { secret: password, isPassword: true };
  } catch {
    return 'invalid-token';
  }
}

/** `token68` of RFC 9110, section 11.2. */
function isToken(text: string): boolean {
  return text.length <= maxCharacters && /^[A-Za-z0-9\-._~+/]+=*$/.test(text);
}

/** The key with the digest of the secret. Compares all digests in full, so the time reveals nothing about them. */
async function findAccessKey(secret: string, keys: AccessKeys): Promise<AccessKey | undefined> {
  const digest = Buffer.from(await computeSha256(secret));
  const [match] = keys.filter(({ sha256 }) => timingSafeEqual(digest, Buffer.from(sha256)));
  return match;
}
