import { timingSafeEqual } from 'node:crypto';
import { computeSha256 } from '../../../core/model/digest.ts';
import type { AccessConfig, User } from '../../../core/schemas/access/access-config.ts';
import {
  accessKeyPrefix,
  intersectPermissions,
  type AccessKey,
  type AccessKeys,
} from '../../../core/schemas/access/access-keys.ts';
import { isPlainHttp } from '../../../core/schemas/urls.ts';
import { answerFailure } from '../api/respond.ts';
import { deny, type Denial } from './deny.ts';
import {
  InvalidToken,
  IssuerError,
  createJwtReader,
  selectReaders,
  type TokenReader,
  type Claims,
} from './issuer-tokens.ts';
import { createOpaqueReader } from './opaque-tokens.ts';
import { computeEnd, isOwnToken, readAccessToken, type OwnRights } from './own-token.ts';
import type { Grant } from './worker-access.ts';
import type { TokenIssuer } from '../../../core/schemas/access/token-issuer.ts';
import { lowerAscii } from '../../../core/text/foreign-text.ts';

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

/** The answer to a rejected request, or the permissions of an accepted one. */
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
  const validKeys = accessKeys.enabled ? keys : [];
  const readers = externalOauth.issuers.map((issuer) =>
    issuer.accessTokenFormat === 'jwt'
      ? createJwtReader(issuer, now)
      : createOpaqueReader(issuer, now),
  );

  async function checkRequest(request: Request): Promise<Denial | Grant> {
    const header = request.headers.get('authorization');
    if (header !== null && isPlainHttp(request.url)) {
      return 'plain-http';
    }

    const credential = readAuthorization(header, acceptsBasic);
    return typeof credential === 'string' ? credential : checkCredential(credential);
  }

  async function checkCredential({ secret, isKey }: Credential): Promise<Denial | Grant> {
    const key = await findAccessKey(secret, validKeys);
    if (key) {
      const rights = { key, limits: {}, expiresAt: computeEnd(key) };
      return now() < rights.expiresAt ? grantAccess(users, secret, rights) : 'invalid-token';
    }

    // An unknown or truncated key is never sent to an issuer.
    if (secret.toLowerCase().startsWith(accessKeyPrefix)) {
      return 'invalid-token';
    }
    if (isOwnToken(secret, baseUrl)) {
      return grantAccess(users, secret, await readAccessToken(secret, validKeys, baseUrl, now()));
    }

    return isKey ? 'invalid-token' : checkIssuerToken(secret, access, readers, onTrouble);
  }

  return async (request) => {
    const refuse = (denial: Denial) => deny(request, denial, { baseUrl, acceptsBasic });
    try {
      const result = await checkRequest(request);
      return typeof result === 'string' ? refuse(result) : result;
    } catch (error) {
      if (error instanceof InvalidToken) {
        return refuse('invalid-token');
      }

      onTrouble(error);
      return answerFailure(request);
    }
  };
}

/** A key has at most the permissions of its user. */
function grantAccess(
  users: AccessConfig['users'],
  secret: string,
  { key, limits, expiresAt }: OwnRights,
): Denial | Grant {
  const user = users.find(({ username }) => username === key.user);
  if (!user) {
    return 'no-user';
  }

  const credential = { key, expiresAt, secret };
  return { permissions: intersectPermissions(user, key, limits), credential };
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

/** A key or a token. */
interface Credential {
  readonly secret: string;
  /** Whether it can only be a key. */
  readonly isKey: boolean;
}

/** Longer than any token of an issuer. Longer values are neither decoded nor hashed. */
const maxCharacters = 8192;

/**
 * Reads the header `Authorization`. Other schemes than Bearer, and Basic where it is not accepted, are no credential (RFC 6750,
 * section 3.1). Several headers arrive as one with commas, which is malformed.
 */
export function readAuthorization(
  header: string | null,
  acceptsBasic: boolean,
): Credential | Denial {
  const text = header?.trim() ?? '';
  const scheme = text.replace(/[\s,].*/s, '');
  const value = text.slice(scheme.length).trimStart();
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return isToken(value) ? { secret: value, isKey: false } : 'invalid-token';
    case 'basic':
      return acceptsBasic ? readBasic(value) : 'no-credential';
    default:
      return 'no-credential';
  }
}

/** The password is the key; the user name is ignored (RFC 7617). */
function readBasic(value: string): Credential | Denial {
  try {
    const text = atob(value);
    const colon = text.indexOf(':');
    const password = text.slice(colon + 1);
    return colon === -1 || !isToken(password) ? 'invalid-token' : { secret: password, isKey: true };
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
  const matches = keys.filter(({ sha256 }) => timingSafeEqual(digest, Buffer.from(sha256)));
  return matches.at(-1);
}

/**
 * The user that the claims of a token match, or the reason to reject them. A token without an address may match a user for programs, or
 * one by the name of the person. A token with an address matches a user of that address or name, else one with a claim, such as a
 * group, else one for the whole domain.
 */
function matchUser(
  claims: Claims,
  issuer: TokenIssuer,
  users: AccessConfig['users'],
): User | Denial {
  const candidates = users.filter(
    (user) => user.issuer === undefined || user.issuer === issuer.uri,
  );
  const claimants = candidates.filter(({ claim }) => claim && hasClaim(claims, claim));

  // Programs have no address. A person without an address must not bypass the list of domains.
  if (claims['email'] === undefined) {
    const program = claimants.find(isProgram);
    if (program) {
      return program;
    }
  }

  const email = readEmail(claims, issuer);
  const domain = email?.slice(email.lastIndexOf('@') + 1);
  const denial = checkDomain(domain, issuer);
  if (denial) {
    return denial;
  }

  const named = candidates.find((user) => isNamed(user, claims, email, issuer));
  if (named) {
    return named;
  }
  if (domain === undefined) {
    return 'no-user';
  }

  const colleague = candidates.find(
    (user) => user.domain !== undefined && lowerAscii(user.domain) === domain,
  );
  return claimants[0] ?? colleague ?? 'no-user';
}

/** Why a person with an address in a domain, or without an address, is rejected. */
function checkDomain(
  domain: string | undefined,
  { claimMapping, restrictByDomain, allowedDomains }: TokenIssuer,
): Denial | undefined {
  if (domain === undefined && (restrictByDomain || claimMapping === 'email')) {
    return 'no-email';
  }

  const isAllowed =
    !restrictByDomain || allowedDomains.some((allowed) => lowerAscii(allowed) === domain);
  return isAllowed ? undefined : 'wrong-domain';
}

const claimNames = { sub: 'sub', preferredUsername: 'preferred_username' } as const;

/** Whether a token names a user, by the claim that the configuration of the issuer chooses. */
function isNamed(
  user: User,
  claims: Claims,
  email: string | undefined,
  { claimMapping }: TokenIssuer,
): boolean {
  if (user.email === undefined) {
    return false;
  }

  return claimMapping === 'email'
    ? lowerAscii(user.email) === email
    : user.username === claims[claimNames[claimMapping]];
}

/** The claims that identify one client. */
const clientClaims = new Set(['sub', 'azp', 'client_id']);

function isProgram({ claim, program }: User): boolean {
  return program === true || clientClaims.has(claim?.name ?? '');
}

/** Whether a claim is the value, or a list with it. */
function hasClaim(claims: Claims, { name, value }: NonNullable<User['claim']>): boolean {
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return claim === value || (Array.isArray(claim) && claim.includes(value));
}

/** In lower case, of ASCII only: two owners must not get one address. Ignores an unverified address, which anybody could have chosen. */
function readEmail(claims: Claims, { requireEmailVerified }: TokenIssuer): string | undefined {
  const { email, email_verified: emailVerified } = claims;
  if (typeof email !== 'string' || !/^[^@]+@[^@]+$/.test(email)) {
    return undefined;
  }

  // Some issuers write it as a text, or null where they do not know.
  const isVerified = emailVerified === true || emailVerified === 'true';
  const isSilent = emailVerified === undefined || emailVerified === null;
  if (!isVerified && (requireEmailVerified || !isSilent)) {
    return undefined;
  }

  return lowerAscii(email);
}
