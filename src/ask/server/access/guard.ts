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
import { readAuthorization, type Authorization } from './authorization.ts';
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
  /** Called with a message without secrets when an issuer cannot be reached. */
  onOutage(message: string): void;
  /** Called with each failure of the program. */
  onError(error: unknown): void;
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

/** The settings and state with which credentials are checked. Without accepted access keys, `keys` is empty. */
interface GuardContext extends GuardSettings {
  readonly readers: readonly TokenReader[];
}

/** Accepts an access key, a token made from a key, or a token of a user, only in the header `Authorization`. */
export function createGuard(settings: GuardSettings): Guard {
  const { access, baseUrl, onError } = settings;
  const acceptsBasic = access.protect === 'everything';
  const readers = access.externalOauth.issuers.map((issuer) =>
    issuer.accessTokenFormat === 'jwt' ? createJwtReader(issuer) : createOpaqueReader(issuer),
  );
  const keys = access.accessKeys.enabled ? settings.keys : [];
  const context = { ...settings, keys, readers };
  const site = { baseUrl, acceptsBasic };

  return async (request) => {
    try {
      const header = request.headers.get('authorization');
      if (header !== null && isUnsafeHttp(request.url)) {
        return deny(request, 'plain-http', site);
      }

      const authorization = readAuthorization(header, acceptsBasic);
      const result =
        typeof authorization === 'string'
          ? authorization
          : await checkSecret(authorization, context);
      return typeof result === 'string' ? deny(request, result, site) : result;
    } catch (error) {
      if (error instanceof InvalidToken) {
        return deny(request, 'invalid-token', site);
      }

      onError(error);
      return answerFailure(request);
    }
  };
}

/** Throws an `InvalidToken` for an invalid token of the index. */
async function checkSecret(
  { secret, isPassword }: Authorization,
  context: GuardContext,
): Promise<Denial | Grant> {
  const { access, keys, baseUrl } = context;
  const key = await findAccessKey(secret, keys);
  if (key) {
    const rights = { key, permissions: intersectPermissions(key), expiresAt: computeKeyEnd(key) };
    return Date.now() < rights.expiresAt
      ? grantAccess(access.users, secret, rights)
      : 'invalid-token';
  }

  // An unknown or truncated key is never sent to an issuer.
  if (secret.toLowerCase().startsWith(accessKeyPrefix)) {
    return 'invalid-token';
  }
  if (isOwnToken(secret, baseUrl)) {
    return grantAccess(
      access.users,
      secret,
      await readAccessToken(secret, keys, baseUrl, Date.now()),
    );
  }

  return isPassword ? 'invalid-token' : checkIssuerToken(secret, context);
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
  { access, readers, onOutage }: GuardContext,
): Promise<Denial | Grant> {
  const { users, externalOauth } = access;
  let denial: Denial = 'invalid-token';

  for (const reader of selectReaders(token, readers, externalOauth)) {
    try {
      const user = matchUser(await reader.read(token), reader.issuer, users);
      return typeof user === 'string' ? user : { permissions: intersectPermissions(user) };
    } catch (error) {
      if (error instanceof IssuerError) {
        onOutage(error.message);
        denial = 'no-answer';
      } else if (!(error instanceof InvalidToken)) {
        throw error;
      }
    }
  }

  return denial;
}

/** The key with the digest of the secret. Compares all digests in full, so the time reveals nothing about them. */
async function findAccessKey(secret: string, keys: AccessKeys): Promise<AccessKey | undefined> {
  const digest = Buffer.from(await computeSha256(secret));
  const [match] = keys.filter(({ sha256 }) => timingSafeEqual(digest, Buffer.from(sha256)));
  return match;
}
