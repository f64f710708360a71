import type { AccessConfig } from '../../core/schemas/access-config.ts';
import type { TokenIssuer } from '../../core/schemas/token-issuer.ts';
import type { Denial } from './denial.ts';
import type { Claims } from './token-reader.ts';

const claimNames = { sub: 'sub', preferredUsername: 'preferred_username' } as const;

/** Why whom the claims are about is not let in; undefined for a user. */
export function whyNoUser(
  claims: Claims,
  issuer: TokenIssuer,
  users: AccessConfig['users'],
): Denial | undefined {
  const { claimMapping, restrictByDomain } = issuer;
  const email = emailIn(claims, issuer);
  if (email === undefined && (restrictByDomain || claimMapping === 'email')) return 'no-email';
  if (restrictByDomain && !issuer.allowedDomains.some((domain) => folded(domain) === domainOf(email!)))
    return 'wrong-domain';
  const isUser =
    claimMapping === 'email'
      ? users.some((user) => folded(user.email) === email)
      : users.some(({ username }) => username === claims[claimNames[claimMapping]]);
  return isUser ? undefined : 'no-user';
}

/** In lower case. */
function emailIn(claims: Claims, { requireEmailVerified }: TokenIssuer): string | undefined {
  const { email, email_verified: isVerified } = claims;
  if (typeof email !== 'string' || !email.includes('@')) return undefined;
  // Some issuers write it as a text.
  if (requireEmailVerified && isVerified !== true && isVerified !== 'true') return undefined;
  return folded(email);
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** Of ASCII alone: by Unicode's rules the Kelvin sign would be a k, and its owner somebody else. */
function folded(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
