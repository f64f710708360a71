/** Reads tokens of identity providers (issuers): signed tokens, and opaque tokens, which only their issuer can read. */
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { createRemoteJWKSet } from 'jose/jwks/remote';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import { hash } from 'node:crypto';
import {
  allowInsecureRequests,
  discoveryRequest,
  processDiscoveryResponse,
  processUserInfoResponse,
  skipSubjectCheck,
  userInfoRequest,
} from 'oauth4webapi';
import type { AccessConfig, Issuer, User } from '../../core/schema/access.ts';
import { Denied } from './denied.ts';

/** Returns a function that finds the user of a token. The function throws `Denied` if it finds no user. */
export function openIssuers({
  issuers,
  opaqueTokenFanOut,
}: AccessConfig['accessControl']['externalOauth']) {
  const readers = issuers.map((issuer) => {
    const open = issuer.accessTokenFormat === 'jwt' ? openJwtReader : openUserInfoReader;
    return { issuer, read: open(issuer) };
  });

  /**
   * Selects the issuers that may read a token:
   * - A JWT is read only by the issuer that it names.
   * - Any other token is sent to the issuer with opaque tokens. If there are several, it is sent to them only with `opaqueTokenFanOut`.
   */
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
        // The next issuer is asked, because it may know the token.
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

/** Returns the issuer that a signed JWT names. Empty if the JWT names none. Undefined for opaque tokens and encrypted JWTs. */
export function readIssuer(token: string): string | undefined {
  try {
    decodeProtectedHeader(token);
    return decodeJwt(token).iss ?? '';
  } catch {
    // A damaged JWT is recognised by its first characters and its alphabet. It is not sent to any issuer.
    return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(token) ? '' : undefined;
  }
}

/** Logs the URL of an issuer that does not answer, and the reason, but no part of a token. */
function logOutage({ uri, jwksUri }: Issuer, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`${jwksUri ?? uri}: ${reason}. Its tokens are answered with 503.`);
}

/** The claims of an issuer about the owner of a token. */
type Claims = Readonly<Record<string, unknown>>;

/**
 * Finds the user whom the claims of a token describe. Throws `Denied` if there is none, or if the issuer does not allow the domain of the
 * mail address.
 */
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

/**
 * Reads the mail address from claims. Ignores an unverified address, because anybody could have entered it. With `requireEmailVerified`,
 * the issuer must say that the address is verified.
 */
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

/** Converts only ASCII letters to lower case. If other letters were converted, two people could have the same address. */
function lower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/* Checks signed tokens. Only the public keys of their issuer are requested. */

/** The accepted algorithms. All are asymmetric, because somebody who can verify a token must not be able to sign one. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Codes of errors that are about the issuer's keys, not about the token. */
const keyFailures = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];

/**
 * Returns a function that reads the claims of a signed token. It returns undefined for an invalid token. It throws if the keys of the
 * issuer cannot be read.
 */
function openJwtReader(issuer: Issuer) {
  const { uri, jwkSet, jwksUri, allowedJwtTypes, allowedJwtAudiences } = issuer;
  const keys =
    jwksUri === undefined
      ? createLocalJWKSet(jwkSet ?? { keys: [] })
      : createRemoteJWKSet(new URL(jwksUri));
  const types = allowedJwtTypes?.map(normaliseType);
  const options = {
    algorithms,
    issuer: uri,
    requiredClaims: ['exp'],
    clockTolerance: 5,
    ...(issuer.restrictByJwtAudience !== false && { audience: allowedJwtAudiences ?? [] }),
  };

  return async (token: string) => {
    // A token with padding is rejected, because otherwise a token would have several spellings (RFC 7515, section 2).
    if (token.includes('=')) {
      return undefined;
    }

    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, options);
      const isAccepted = !types || types.includes(normaliseType(String(protectedHeader.typ)));
      return isAccepted ? payload : undefined;
    } catch (error) {
      if (!(error instanceof JOSEError) || keyFailures.includes(error.code)) {
        throw error;
      }
      return undefined;
    }
  };
}

/** Normalises the header `typ`: `application/` is optional, and case is ignored (RFC 7515, section 4.1.9). */
function normaliseType(type: string): string {
  return type.toLowerCase().replace(/^application\//, '');
}

/* Checks opaque tokens, which only their issuer can read. */

const metadataMs = 600_000;
/** How long an issuer's answer is remembered, in milliseconds. A revoked token is accepted for at most this time. */
const claimsMs = 60_000;
const maxKept = 5000;
const client = { client_id: 'release-index' };

/**
 * Returns a function that requests the claims of an opaque token from the issuer's UserInfo endpoint (OpenID Connect Core, section 5.3). It
 * returns undefined for an invalid token. It throws if the issuer does not answer.
 */
function openUserInfoReader({ uri }: Issuer) {
  const options = {
    signal: () => AbortSignal.timeout(4000),
    [allowInsecureRequests]: uri.startsWith('http:'),
  };
  const findServer = remember(metadataMs, async (issuer) => {
    const url = new URL(issuer);
    return processDiscoveryResponse(url, await discoveryRequest(url, options));
  });

  // The requests follow no redirect, because a redirect could send the token anywhere.
  return remember(claimsMs, async (token) => {
    const server = await findServer(uri);
    const response = await userInfoRequest(server, client, token, options);
    const { status } = response;
    const isRejected = status >= 400 && status < 500 && ![408, 429].includes(status);
    return isRejected
      ? undefined
      : processUserInfoResponse(server, client, skipSubjectCheck, response);
  });
}

/** Returns a function that remembers answers for `forMs` milliseconds. It stores digests of tokens, not the tokens. */
function remember<Answer>(forMs: number, ask: (text: string) => Promise<Answer>) {
  const answers = new Map<string, { readonly answer: Answer; readonly at: number }>();
  return async (text: string): Promise<Answer> => {
    const digest = hash('sha256', text);
    const now = Date.now();
    const kept = answers.get(digest);
    if (kept && now - kept.at < forMs) {
      return kept.answer;
    }

    const answer = await ask(text);
    answers.set(digest, { answer, at: now });
    if (answers.size > maxKept) {
      const [oldest = ''] = answers.keys();
      answers.delete(oldest);
    }
    return answer;
  };
}
