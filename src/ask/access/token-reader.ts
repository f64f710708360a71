import { decodeJwt } from 'jose/jwt/decode';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import type { TokenIssuer } from '../../core/schemas/token-issuer.ts';

/** What an issuer states of whom a token was given to. */
export type Claims = Readonly<Record<string, unknown>>;

/** Reads the tokens of one issuer. */
export interface TokenReader {
  readonly issuer: TokenIssuer;
  /** Throws where the token does not count, or the issuer cannot be asked. */
  read(token: string): Promise<Claims>;
}

/**
 * Who may read a token: the issuer that it names, though nothing vouches yet for what it names; otherwise the opaque one.
 * A token that belongs to nobody here, or to one of several, is shown to all of them only where that is switched on: each
 * of them then sees tokens of others.
 */
export function readersFor(
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
