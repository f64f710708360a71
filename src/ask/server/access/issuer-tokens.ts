import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWKSInvalid } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose/jwt/verify';
import { isObject } from '../../../core/model/objects.ts';
import type { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import type { TokenIssuer } from '../../../core/schemas/access/token-issuer.ts';

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

  const iss = decodePart(token, decodeJwt)?.iss;
  return readers.filter(({ issuer }) => issuer.uri === iss);
}

/** A signed JWT has three parts. An encrypted one has five (RFC 7516, section 3), which its issuer alone can read. */
function isSignedJwt(token: string): boolean {
  return token.split('.').length === 3 && decodePart(token, decodeProtectedHeader) !== undefined;
}

/** Decodes an untrusted text, such as a part of a token that is not verified yet. Returns undefined for a malformed one. */
export function decodePart<Part>(text: string, decode: (text: string) => Part): Part | undefined {
  try {
    return decode(text);
  } catch {
    return undefined;
  }
}

/** Reads signed tokens of an issuer. */
export function createJwtReader(issuer: TokenIssuer): TokenReader {
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
      });
      if (types && !types.has(normaliseMediaType(String(protectedHeader.typ)))) {
        throw new InvalidToken('The token has another type.');
      }

      return payload;
    },
  };
}

/** Verifies a signed token. Throws an `InvalidToken`, or an `IssuerError` if the keys are invalid or cannot be fetched. */
export async function verifyJwt(
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions & { issuer: string },
) {
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
    if (error instanceof IssuerError) {
      throw error;
    }

    throw new IssuerError(options.issuer, 'has a key that cannot be used', { cause: error });
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

/** Maximum time of the requests to an issuer that one answer needs. */
const timeoutMs = 4_000;

/** Keys and metadata of an issuer seldom change. */
export const metadataValidMs = 600_000;

/** Many times the size of a key set or of the claims of a user. */
const maxCharacters = 256 * 1024;

/** The signal for all requests that one answer needs, so that they share the time. */
export function startTimeLimit(): AbortSignal {
  return AbortSignal.timeout(timeoutMs);
}

/** An issuer is unreachable or its answer is invalid; the token may be valid. The message has no part of the token. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';

  constructor(url: string, trouble: string, options?: ErrorOptions) {
    super(`${url} ${trouble}. Tokens that need it are answered with 503.`, options);
  }
}

/**
 * Asks an issuer for a JSON object; undefined if it rejects the request for good. Does not follow redirects, which could send a token
 * anywhere. Throws an `IssuerError`.
 */
export async function fetchIssuerJson(
  url: string,
  timeLimit: AbortSignal,
  headers: Headers | Record<string, string> = {},
): Promise<Record<string, unknown> | undefined> {
  let response: Response;
  let text: string | undefined;
  try {
    response = await fetch(url, {
      headers,
      signal: timeLimit,
      redirect: 'manual',
      cache: 'no-store',
    });
    text = await readShortText(response);
  } catch (cause) {
    const isLate = timeLimit.aborted;
    const trouble = isLate ? `gave no answer in ${timeoutMs / 1000} s` : 'cannot be reached';
    throw new IssuerError(url, trouble, { cause });
  }

  const { status } = response;
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return undefined;
  }
  if (status !== 200) {
    throw new IssuerError(url, `answered ${status}`);
  }
  if (text === undefined) {
    throw new IssuerError(url, `answered with more than ${maxCharacters} characters`);
  }

  const document: unknown = decodePart(text, JSON.parse);
  if (!isObject(document)) {
    throw new IssuerError(url, 'did not answer with a JSON object');
  }

  return document;
}

/** The body of an answer; undefined if it is longer than `maxCharacters`, of which no more is read. */
async function readShortText({ body }: Response): Promise<string | undefined> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;

    if (text.length > maxCharacters) {
      return undefined;
    }
  }

  return text;
}
