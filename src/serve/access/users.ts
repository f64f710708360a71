import type { Issuer, User } from '../../core/schema/access.ts';
import { Denied } from '../errors.ts';

/** What an issuer says of the owner of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** The user with the claims of a token. Throws `Denied`. */
export function matchUser(claims: Claims, issuer: Issuer, users: readonly User[]): User {
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
