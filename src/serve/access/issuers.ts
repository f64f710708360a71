import { hash } from 'node:crypto';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { createRemoteJWKSet } from 'jose/jwks/remote';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import {
  allowInsecureRequests,
  discoveryRequest,
  processDiscoveryResponse,
  processUserInfoResponse,
  skipSubjectCheck,
  userInfoRequest,
} from 'oauth4webapi';
import { type AccessConfig, type Issuer, type User } from '../../core/schema/access.ts';
import { Denied } from '../errors.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Reads the claims of a token of one issuer; undefined for an invalid one. Throws where the issuer cannot be asked. */
type TokenReader = (token: string) => Promise<Claims | undefined>;

export function openIssuers({
  issuers,
  opaqueTokenFanOut,
}: AccessConfig['accessControl']['externalOauth']) {
  const readers = issuers.map((issuer) => {
    const open = issuer.accessTokenFormat === 'jwt' ? openJwtReader : openOpaqueReader;
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

  /** The user of a token. Throws `Denied`. Where an issuer cannot be asked, another may know the token. */
  return async (token: string, users: readonly User[]): Promise<User> => {
    let outage: unknown;
    for (const { issuer, read } of selectReaders(token)) {
      let claims: Claims | undefined;
      try {
        claims = await read(token);
      } catch (error) {
        outage = error;
      }
      if (claims) {
        return matchUser(claims, issuer, users);
      }
    }
    throw outage ?? new Denied('invalid-token');
  };
}

/** The issuer that a signed JWT names; empty if it names none; undefined for an opaque token, also an encrypted JWT. */
export function readIssuer(token: string): string | undefined {
  if (token.split('.').length !== 3) {
    return undefined;
  }

  try {
    decodeProtectedHeader(token);
    return decodeJwt(token).iss ?? '';
  } catch {
    // A damaged JWT, by its first characters and its alphabet, goes to no issuer.
    return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(token) ? '' : undefined;
  }
}

/** Only asymmetric ones: who verifies must not be able to sign. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/** Failures of the keys, not of a token. */
const keyFailures = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];

function openJwtReader(issuer: Issuer): TokenReader {
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

  return async (token) => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, options);
      // With padding, one token would have several spellings (RFC 7515, section 2).
      const isPadded = token.includes('=');
      const isAccepted = !types || types.includes(normaliseType(String(protectedHeader.typ)));
      return isAccepted && !isPadded ? payload : undefined;
    } catch (error) {
      if (!(error instanceof JOSEError) || keyFailures.includes(error.code)) {
        throw createOutage(jwksUri ?? uri, error);
      }
      return undefined;
    }
  };
}

/** RFC 7515, section 4.1.9: `application/` is optional, case is ignored. */
function normaliseType(type: string): string {
  return type.toLowerCase().replace(/^application\//, '');
}

/** A revoked token works no longer than that. */
const claimsMs = 60_000;
const metadataMs = 600_000;
const maxKept = 5000;
const client = { client_id: 'release-index' };

/** Asks the UserInfo endpoint of the issuer (OpenID Connect Core, section 5.3). Neither request follows a redirect, which could send a token anywhere. */
function openOpaqueReader({ uri }: Issuer): TokenReader {
  const options = {
    signal: () => AbortSignal.timeout(4000),
    [allowInsecureRequests]: uri.startsWith('http:'),
  };
  const findServer = remember(metadataMs, async (issuer) => {
    const url = new URL(issuer);
    return processDiscoveryResponse(url, await discoveryRequest(url, options));
  });

  return remember(claimsMs, async (token) => {
    try {
      const server = await findServer(uri);
      const response = await userInfoRequest(server, client, token, options);
      const { status } = response;
      const isRejected = status >= 400 && status < 500 && ![408, 429].includes(status);
      return isRejected
        ? undefined
        : await processUserInfoResponse(server, client, skipSubjectCheck, response);
    } catch (error) {
      throw createOutage(uri, error);
    }
  });
}

/** Asks again after some time. Keeps digests, no tokens. */
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

/** The operator learns the address and no part of a token. */
function createOutage(url: string, error: unknown): Denied {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`${url}: ${reason}. Its tokens are answered with 503.`);
  return new Denied('no-answer');
}

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

  const name = claimMapping === 'sub' ? claims['sub'] : claims['preferred_username'];
  const user = users.find((each) =>
    claimMapping === 'email' ? lower(each.email ?? '') === email : each.username === name,
  );
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
  const isUsable = isVerified || (isSilent && !requireEmailVerified);
  return typeof email === 'string' && /^[^@]+@[^@]+$/.test(email) && isUsable
    ? lower(email)
    : undefined;
}

/** ASCII letters alone: folding others could give two people one address. */
function lower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
