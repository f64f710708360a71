import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import type { AccessConfig, Issuer, User } from '../../core/schema/access.ts';
import { Denied } from '../errors.ts';
import { openJwtReader } from './jwt.ts';
import { openUserInfoReader } from './user-info.ts';
import { matchUser } from './users.ts';

/** What finds the user of a token. It throws `Denied`. */
export function openIssuers({
  issuers,
  opaqueTokenFanOut,
}: AccessConfig['accessControl']['externalOauth']) {
  const readers = issuers.map((issuer) => {
    const open = issuer.accessTokenFormat === 'jwt' ? openJwtReader : openUserInfoReader;
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

/** The operator learns the address and no part of a token. */
function logOutage({ uri, jwksUri }: Issuer, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`${jwksUri ?? uri}: ${reason}. Its tokens are answered with 503.`);
}
