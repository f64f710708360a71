import type { AccessConfig, User } from '../../../core/schemas/access/access-config.ts';
import type { TokenIssuer } from '../../../core/schemas/access/token-issuer.ts';
import { lowerAscii } from '../../../core/text/foreign-text.ts';
import type { Denial } from './deny.ts';
import type { Claims } from './issuer-tokens.ts';

/**
 * The user that the claims of a token match, or the reason to reject them. A token without an address may match a user for programs, or
 * one by the name of the person. A token with an address matches a user of that address or name, else one with a claim, such as a
 * group, else one for the whole domain.
 */
export function matchUser(
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
