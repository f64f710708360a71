/** Tokens of issuers: signed tokens, and opaque tokens, which only their issuer can read. */
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

/** Returns a function that finds the user of a token. It throws `Denied`. */
export function openIssuers({
  issuers,
  opaqueTokenFanOut,
}: AccessConfig['accessControl']['externalOauth']) {
  const readers = issuers.map((issuer) => {
    const open = issuer.accessTokenFormat === 'jwt' ? openJwtReader : openUserInfoReader;
    return { issuer, read: open(issuer) };
  });

  /** A JWT is sent only to the issuer that it names. Any other token is sent to the opaque issuer; if there are several, only with `opaqueTokenFanOut`. */
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

/** Returns the issuer that a signed JWT names, or an empty text if it names none. Undefined for an opaque token; an encrypted JWT is one. */
export function readIssuer(token: string): string | undefined {
  try {
    decodeProtectedHeader(token);
    return decodeJwt(token).iss ?? '';
  } catch {
    // A damaged JWT, recognised by its first characters and its alphabet, is sent to no issuer.
    return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(token) ? '' : undefined;
  }
}

/** Logs the address of the issuer, and no part of a token. */
function logOutage({ uri, jwksUri }: Issuer, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`${jwksUri ?? uri}: ${reason}. Its tokens are answered with 503.`);
}

/** The statements of an issuer about the owner of a token. */
type Claims = Readonly<Record<string, unknown>>;

/** Finds the user with the claims of a token. Throws `Denied`. */
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

/** Reads the mail address. Ignores one that the issuer calls unverified or, with `requireEmailVerified`, does not call verified, because anybody could have chosen it. */
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

/** Lowers ASCII letters only. Other letters could give two people the same address. */
function lower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/* Signed tokens. Only the keys of their issuer are requested. */

/** Only asymmetric algorithms: a verifier must not be able to sign. */
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

/** Codes of errors that concern the keys, not the token. */
const keyFailures = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];

/** Returns a function that reads the claims of a token: undefined for an invalid one. It throws if the keys of the issuer cannot be read. */
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
    // With padding, one token would have several spellings (RFC 7515, section 2).
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

/** RFC 7515, section 4.1.9: `application/` is optional, case is ignored. */
function normaliseType(type: string): string {
  return type.toLowerCase().replace(/^application\//, '');
}

/* Opaque tokens, which only their issuer can read. */

const metadataMs = 600_000;
/** A revoked token works for at most this time. */
const claimsMs = 60_000;
const maxKept = 5000;
const client = { client_id: 'release-index' };

/**
 * Returns a function that requests the claims of a token from the UserInfo endpoint of the issuer (OpenID Connect Core, section 5.3):
 * undefined for an invalid token. It throws if the issuer does not answer. Neither request follows a redirect, because a redirect could send
 * the token anywhere.
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

/** Remembers answers for `forMs` milliseconds. Keeps digests of tokens, and no tokens. */
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
