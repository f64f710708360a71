/** Signed tokens, which are read without asking their issuer more than for its keys. */
import { JOSEError } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { createRemoteJWKSet } from 'jose/jwks/remote';
import { jwtVerify } from 'jose/jwt/verify';
import type { Issuer } from '../../core/schema/access.ts';

/** Only asymmetric ones: who verifies must not be able to sign. */
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

/** Failures of the keys, not of a token. */
const keyFailures = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];

/** Reads the claims of a token; undefined for an invalid one. Throws where the keys of the issuer cannot be read. */
export function openJwtReader(issuer: Issuer) {
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
