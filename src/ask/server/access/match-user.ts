import type { AccessConfig, User } from '../../../core/schemas/access/access-config.ts';
import type { TokenIssuer } from '../../../core/schemas/access/token-issuer.ts';
import { lowerAscii } from '../../../core/text/foreign-text.ts';
import type { Denial } from './deny.ts';
import type { Claims } from './issuer-tokens.ts';

/**
 * The user that the claims of a token match, or the reason to reject them. In this order:
 * 1. without any address, a user for programs whose claim the token has;
 * 2. the person with the address or the name in the token, if the domain of the address is allowed;
 * 3. with an address only, a user whose claim the token has, such as a group;
 * 4. with an address only, the user for its whole domain.
 */
export function matchUser(
  claims: Claims,
  issuer: TokenIssuer,
  users: AccessConfig['users'],
): User | Denial {
  const candidates = users.filter(
    (user) => user.issuer === undefined || user.issuer === issuer.uri,
  );
  const claimMatches = candidates.filter(({ claim }) => claim && hasClaim(claims, claim));
  const program = claimMatches.find(isProgram);
  // Some issuers state null where there is no address.
  if (program && (claims['email'] ?? null) === null) {
    return program;
  }

  const email = readEmail(claims, issuer);
  const domain = email?.split('@')[1];
  const denial = checkDomain(domain, issuer);
  if (denial) {
    return denial;
  }

  const person = candidates.find((user) => isNamed(user, claims, email, issuer));
  if (person) {
    return person;
  }
  // Without an address, a person must not bypass the list of domains.
  if (domain === undefined) {
    return 'no-user';
  }

  const domainUser = candidates.find(
    (user) => user.domain !== undefined && lowerAscii(user.domain) === domain,
  );
  return claimMatches[0] ?? domainUser ?? 'no-user';
}

/** Why a token is rejected whose user would be a person. `domain`: of the address, if the token has one. */
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

/** Whether a token names this user, by the claim that the configuration of the issuer chooses. Only a user with an address is a person. */
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

/**
 * The address, with its ASCII letters in lower case: folding others could give two owners one address. Ignores an address that
 * the issuer calls unverified or, with `requireEmailVerified`, does not call verified: anybody could have chosen it.
 */
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
