import { createLocalJWKSet } from 'jose/jwks/local';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { jwtVerify } from 'jose/jwt/verify';
import type { TokenIssuer } from '../../core/schemas/token-issuer.ts';
import { fetchIssuerJson, IssuerTroubleError, cachedForMs, timeoutMs } from './issuer-json.ts';
import type { TokenReader } from './token-reader.ts';

/** Asymmetric ones: who can verify a token must not be able to make one. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Allowed difference between the clocks of issuer and host. */
const toleranceS = 5;

/** Minimum time between two requests for unknown keys: forged tokens can name any key. */
const cooldownMs = 30_000;

/** Reads signed tokens of an issuer. */
export function createJwtReader(issuer: TokenIssuer, now: () => number): TokenReader {
  const keys = issuer.jwkSet ? createLocalJWKSet(issuer.jwkSet) : remoteKeys(issuer.jwksUri!);
  const types = issuer.allowedJwtTypes && new Set(issuer.allowedJwtTypes.map(mediaType));
  const audience = issuer.restrictByJwtAudience === false ? undefined : (issuer.allowedJwtAudiences ?? []);
  return {
    issuer,
    async read(token) {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms,
        issuer: issuer.uri,
        ...(audience && { audience }),
        requiredClaims: ['exp'],
        clockTolerance: toleranceS,
        currentDate: new Date(now()),
      });
      if (types && !types.has(mediaType(protectedHeader.typ ?? '')))
        throw new Error('The token has another type.');
      return payload;
    },
  };
}

function remoteKeys(uri: string): ReturnType<typeof createRemoteJWKSet> {
  return createRemoteJWKSet(new URL(uri), {
    timeoutDuration: timeoutMs,
    cacheMaxAge: cachedForMs,
    cooldownDuration: cooldownMs,
    async [customFetch](url, { headers, signal }) {
      const set = await fetchIssuerJson(url, { headers, signal });
      if (Array.isArray(set?.['keys'])) return Response.json(set);
      throw new IssuerTroubleError(url, 'is not a set of keys');
    },
  });
}

/** RFC 7515, section 4.1.9: `application/` is optional, case is ignored. */
function mediaType(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '');
}
