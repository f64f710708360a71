import { decodeJwt } from 'jose/jwt/decode';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import type { TokenIssuer } from '../../core/schemas/token-issuer.ts';

/** Statements of an issuer about the user of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Reads the tokens of one issuer. */
export interface TokenReader {
  readonly issuer: TokenIssuer;
  /** Throws where the token is not valid, and an IssuerTroubleError where the issuer does not tell. */
  read(token: string): Promise<Claims>;
}

/**
 * The readers that may see a token: the issuer that it names, although nothing vouches for that name yet, or else the opaque one.
 * A token of an unknown issuer, or of one of several opaque ones, goes to all of them only where fan-out is configured: each
 * then sees tokens of the others.
 */
export function selectReaders(
  token: string,
  readers: readonly TokenReader[],
  fansOut: boolean,
): readonly TokenReader[] {
  const named = issuerNamedIn(token);
  const own = readers.find(({ issuer }) => issuer.uri === named?.issuer);
  if (own) return [own];
  const opaque = readers.filter(({ issuer }) => issuer.accessTokenFormat === 'opaque');
  return fansOut || (named === undefined && opaque.length === 1) ? opaque : [];
}

/** Undefined for a text that is no JWT. */
function issuerNamedIn(token: string): { issuer?: string | undefined } | undefined {
  try {
    decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
  try {
    return { issuer: decodeJwt(token).iss };
  } catch {
    return {};
  }
}
