import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWKSInvalid } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose/jwt/verify';
import type { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import type { TokenIssuer } from '../../../core/schemas/access/token-issuer.ts';
import { fetchIssuerJson, IssuerError, metadataValidMs, startTimeLimit } from './issuer-http.ts';

/** Only asymmetric algorithms: a verifier must not be able to make tokens. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/** Allowed difference between the clocks of issuer and host. */
const toleranceS = 5;

/** Minimum time between two requests for unknown keys: forged tokens can name any key. */
const cooldownMs = 30_000;

/** Statements of an issuer about the user of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Reads the tokens of one issuer. */
export interface TokenReader {
  readonly issuer: TokenIssuer;
  /** Throws an `InvalidToken` or an `IssuerError`. */
  read(token: string): Promise<Claims>;
}

/** A token is malformed, forged, expired, or for somebody else. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

/**
 * The readers that may see a token, in order. A signed JWT goes only to the issuer that it names, although the name is not
 * verified yet. Any other token, also an encrypted JWT, goes to the only opaque issuer. Several opaque issuers get it only if
 * fan-out is configured, because each of them then sees tokens of the others.
 */
export function selectReaders(
  token: string,
  readers: readonly TokenReader[],
  { opaqueTokenFanOut }: AccessConfig['externalOauth'],
): readonly TokenReader[] {
  if (!isSignedJwt(token)) {
    const opaque = readers.filter(({ issuer }) => issuer.accessTokenFormat === 'opaque');
    return opaqueTokenFanOut || opaque.length === 1 ? opaque : [];
  }

  try {
    const { iss } = decodeJwt(token);
    return readers.filter(({ issuer }) => issuer.uri === iss);
  } catch {
    // No claims, so no issuer made it.
    return [];
  }
}

/** A signed JWT has three parts. An encrypted one has five (RFC 7516, section 3), which its issuer alone can read. */
function isSignedJwt(token: string): boolean {
  try {
    decodeProtectedHeader(token);
    return token.split('.').length === 3;
  } catch {
    return false;
  }
}

/** Reads signed tokens of an issuer. */
export function createJwtReader(issuer: TokenIssuer, now: () => number): TokenReader {
  // The schema requires one of the two.
  const keys = issuer.jwkSet ? createLocalJWKSet(issuer.jwkSet) : openRemoteKeys(issuer.jwksUri!);
  const types = issuer.allowedJwtTypes && new Set(issuer.allowedJwtTypes.map(normaliseMediaType));
  const audience =
    issuer.restrictByJwtAudience === false ? undefined : (issuer.allowedJwtAudiences ?? []);

  return {
    issuer,
    async read(token) {
      const { payload, protectedHeader } = await verifyJwt(token, keys, {
        algorithms,
        issuer: issuer.uri,
        ...(audience && { audience }),
        requiredClaims: ['exp'],
        clockTolerance: toleranceS,
        currentDate: new Date(now()),
      });
      if (types && !types.has(normaliseMediaType(String(protectedHeader.typ)))) {
        throw new InvalidToken('The token has another type.');
      }

      return payload;
    },
  };
}

/** Verifies a signed token. Throws an `InvalidToken`, or another error if the keys are invalid or cannot be fetched. */
export async function verifyJwt(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions) {
  // RFC 7515, section 2: with padded base64url, one token would have several spellings.
  if (token.includes('=')) {
    throw new InvalidToken('A part of the token is padded.');
  }

  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (error instanceof JOSEError && !(error instanceof JWKSInvalid)) {
      throw new InvalidToken(error.message);
    }

    throw error;
  }
}

function openRemoteKeys(uri: string): ReturnType<typeof createRemoteJWKSet> {
  return createRemoteJWKSet(new URL(uri), {
    cacheMaxAge: metadataValidMs,
    cooldownDuration: cooldownMs,
    async [customFetch](url, { headers }) {
      const set = await fetchIssuerJson(url, startTimeLimit(), headers);
      if (Array.isArray(set?.['keys'])) {
        return Response.json(set);
      }

      throw new IssuerError(url, 'is not a set of keys');
    },
  });
}

/** RFC 7515, section 4.1.9: `application/` is optional, case is ignored. */
function normaliseMediaType(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '');
}
