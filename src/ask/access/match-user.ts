import type { AccessConfig, User } from '../../core/schemas/access-config.ts';
import type { TokenIssuer } from '../../core/schemas/token-issuer.ts';
import type { Denial } from './deny.ts';
import type { Claims } from './token-reader.ts';

const claimNames = { sub: 'sub', preferredUsername: 'preferred_username' } as const;

/** The user that the claims of a token match, a person before a group, or the reason to reject them. */
export function matchUser(claims: Claims, issuer: TokenIssuer, users: AccessConfig['users']): User | Denial {
  const { claimMapping, restrictByDomain } = issuer;
  const candidates = users.filter((user) => user.issuer === undefined || user.issuer === issuer.uri);
  const email = emailIn(claims, issuer);
  const byClaim = candidates.find(({ claim }) => claim && hasClaim(claims, claim));
  // Programs have no address; where there is one, its domain counts.
  if (byClaim && claims['email'] === undefined) return byClaim;
  if (email === undefined && (restrictByDomain || claimMapping === 'email')) return 'no-email';
  const domain = email?.slice(email.lastIndexOf('@') + 1);
  if (restrictByDomain && !issuer.allowedDomains.some((allowed) => lowerCased(allowed) === domain))
    return 'wrong-domain';
  const itself = candidates.find((user) =>
    claimMapping === 'email'
      ? user.email !== undefined && lowerCased(user.email) === email
      : user.email !== undefined && user.username === claims[claimNames[claimMapping]],
  );
  const byDomain = candidates.find((user) => user.domain !== undefined && lowerCased(user.domain) === domain);
  return itself ?? byClaim ?? byDomain ?? 'no-user';
}

/** The claim is the value, or a list with it. */
function hasClaim(claims: Claims, { name, value }: NonNullable<User['claim']>): boolean {
  const stated = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return stated === value || (Array.isArray(stated) && stated.includes(value));
}

/** In lower case. An address that the issuer calls unverified never counts: anybody could have chosen it. */
function emailIn(claims: Claims, { requireEmailVerified }: TokenIssuer): string | undefined {
  const { email, email_verified: stated } = claims;
  if (typeof email !== 'string' || !email.includes('@')) return undefined;
  // Some issuers write it as a text, or null where they do not know.
  const isVerified = stated === true || stated === 'true';
  const isSilent = stated === undefined || stated === null;
  if (!isVerified && (requireEmailVerified || !isSilent)) return undefined;
  return lowerCased(email);
}

/** ASCII only: Unicode maps the Kelvin sign to k, so two owners would get one address. */
function lowerCased(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
