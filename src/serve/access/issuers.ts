import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import type { AccessConfig, Issuer, User } from '../../core/schema/access.ts';
import { Denied } from '../errors.ts';
import { openJwtReader } from './jwt.ts';
import { openUserInfoReader } from './user-info.ts';

/** What finds the user of a token. It throws `Denied`. */
export function openIssuers({
  issuers,
  opaqueTokenFanOut,
}: AccessConfig['accessControl']['externalOauth']) {
  const readers = issuers.map((issuer) => {
    const open = issuer.accessTokenFormat === 'jwt' ? openJwtReader : openUserInfoReader;
    return { issuer, read: open(issuer) };
  });

  /** A JWT goes only to the issuer that it names. Any other token goes to the one opaque issuer; to several only with fan-out. */
  function selectReaders(token: string) {
    const iss = readIssuer(token);
    if (iss !== undefined) {
      return readers.filter(({ issuer }) => issuer.uri === iss);
    }

    const opaque = readers.filter(({ issuer }) => issuer.accessTokenFormat === 'opaque');
    return opaqueTokenFanOut || opaque.length === 1 ? opaque : [];
  }

  async function readClaims(token: string) {
    let denial = new Denied('invalid-token');
    for (const { issuer, read } of selectReaders(token)) {
      try {
        const claims = await read(token);
        if (claims) {
          return { claims, issuer };
        }
      } catch (error) {
        // Another issuer may know the token.
        logOutage(issuer, error);
        denial = new Denied('no-answer');
      }
    }
    throw denial;
  }

  return async (token: string, users: readonly User[]): Promise<User> => {
    const { claims, issuer } = await readClaims(token);
    return matchUser(claims, issuer, users);
  };
}

/** The issuer that a signed JWT names; empty if it names none; undefined for an opaque token, also an encrypted JWT. */
export function readIssuer(token: string): string | undefined {
  try {
    decodeProtectedHeader(token);
    return decodeJwt(token).iss ?? '';
  } catch {
    // A damaged JWT, by its first characters and its alphabet, goes to no issuer.
    return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(token) ? '' : undefined;
  }
}

/** The operator learns the address and no part of a token. */
function logOutage({ uri, jwksUri }: Issuer, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`${jwksUri ?? uri}: ${reason}. Its tokens are answered with 503.`);
}

/** What an issuer says of the owner of a token. */
type Claims = Readonly<Record<string, unknown>>;

/** The user with the claims of a token. Throws `Denied`. */
function matchUser(claims: Claims, issuer: Issuer, users: readonly User[]): User {
  const { claimMapping, restrictByDomain, allowedDomains } = issuer;
  const email = readEmail(claims, issuer);
  const domain = email?.split('@')[1];
  if (domain === undefined && (restrictByDomain || claimMapping === 'email')) {
    throw new Denied('no-email');
  }
  if (restrictByDomain && !allowedDomains.some((allowed) => lower(allowed) === domain)) {
    throw new Denied('wrong-domain');
  }

  const user = users.find((each) => {
    switch (claimMapping) {
      case 'email':
        return lower(each.email ?? '') === email;
      case 'sub':
        return each.username === claims['sub'];
      case 'preferredUsername':
        return each.username === claims['preferred_username'];
    }
  });
  if (!user) {
    throw new Denied('no-user');
  }

  return user;
}

/** Ignores an address that the issuer calls unverified or, with `requireEmailVerified`, does not call verified: anybody could have chosen it. */
function readEmail(
  { email, email_verified: verified }: Claims,
  { requireEmailVerified }: Issuer,
): string | undefined {
  const isVerified = verified === true || verified === 'true';
  const isSilent = verified === undefined || verified === null;
  if (typeof email !== 'string' || !/^[^@]+@[^@]+$/.test(email)) {
    return undefined;
  }

  return isVerified || (isSilent && !requireEmailVerified) ? lower(email) : undefined;
}

/** ASCII letters alone: folding others could give two people one address. */
function lower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
