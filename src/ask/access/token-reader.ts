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
 * The readers that may see a token, in the order in which they are asked. A JWT is shown to the issuer that it names, although
 * nothing vouches for that name yet, and to no other. Any other token is shown to the opaque issuer; to each of several only
 * where fan-out is configured, since each then sees tokens of the others.
 */
export function selectReaders(
  token: string,
  readers: readonly TokenReader[],
  fansOut: boolean,
): readonly TokenReader[] {
  const named = issuerNamedIn(token);
  if (named) return readers.filter(({ issuer }) => issuer.uri === named.issuer);
  const opaque = readers.filter(({ issuer }) => issuer.accessTokenFormat === 'opaque');
  return fansOut || opaque.length === 1 ? opaque : [];
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
