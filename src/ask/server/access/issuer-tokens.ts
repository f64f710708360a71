import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWKSInvalid, JWTInvalid } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import { ZodError } from 'zod';
import { computeSha256 } from '../../../core/model/digest.ts';
import { QuestionError } from '../../../core/query/question-error.ts';
import type { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import type { TokenIssuer } from '../../../core/schemas/access/token-issuer.ts';
import { ServiceUrl } from '../../../core/schemas/scalars.ts';

/** Statements of an issuer about the user of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Reads the tokens of one issuer. */
export interface TokenReader {
  readonly issuer: TokenIssuer;
  /** Throws an error that `isAboutToken`, or a `QuestionError` if the issuer does not answer. */
  read(token: string): Promise<Claims>;
}

/** An issuer is unreachable or its answer is invalid; the token may be valid. The message has no part of the token. */
function createNoAnswerError(url: string, trouble: string): QuestionError {
  const message = `${url} ${trouble}. Tokens that need it are answered with 503.`;
  return new QuestionError('unreadable', message);
}

/** Whether an error says that a token is invalid. Others come from a key of an issuer, or from this program. */
export function isAboutToken(error: unknown): boolean {
  return (
    error instanceof ZodError || (error instanceof JOSEError && !(error instanceof JWKSInvalid))
  );
}

/**
 * The readers that may see a token, in order. A JWT goes only to the issuer that it names, although the name is not verified yet.
 * Any other token goes to the opaque issuer. With several opaque issuers, it goes to each only if fan-out is configured, since
 * each issuer then sees tokens of the others.
 */
export function selectReaders(
  token: string,
  readers: readonly TokenReader[],
  { opaqueTokenFanOut }: AccessConfig['externalOauth'],
): readonly TokenReader[] {
  try {
    decodeProtectedHeader(token);
  } catch {
    const opaque = readers.filter(({ issuer }) => issuer.accessTokenFormat === 'opaque');
    return opaqueTokenFanOut || opaque.length === 1 ? opaque : [];
  }

  try {
    const { iss } = decodeJwt(token);
    return readers.filter(({ issuer }) => issuer.uri === iss);
  } catch {
    return [];
  }
}

/** Only asymmetric algorithms: a verifier must not be able to make tokens. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Allowed difference between the clocks of issuer and host. */
const toleranceS = 5;

/** Minimum time between two requests for unknown keys: forged tokens can name any key. */
const cooldownMs = 30_000;

/** Keys and metadata of an issuer seldom change. */
const cachedForMs = 600_000;

/** Reads signed tokens of an issuer. */
export function createJwtReader(issuer: TokenIssuer, now: () => number): TokenReader {
  const keys = issuer.jwkSet ? createLocalJWKSet(issuer.jwkSet) : openRemoteKeys(issuer.jwksUri!);
  const types = issuer.allowedJwtTypes && new Set(issuer.allowedJwtTypes.map(normaliseMediaType));
  const audience =
    issuer.restrictByJwtAudience === false ? undefined : (issuer.allowedJwtAudiences ?? []);

  return {
    issuer,
    async read(token) {
      rejectPadding(token);

      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms,
        issuer: issuer.uri,
        ...(audience && { audience }),
        requiredClaims: ['exp'],
        clockTolerance: toleranceS,
        currentDate: new Date(now()),
      });
      if (types && !types.has(normaliseMediaType(String(protectedHeader.typ)))) {
        throw new JWTInvalid('The token has another type.');
      }

      return payload;
    },
  };
}

/** Throws if a token is spelt differently from the issued one (RFC 7515, section 2). */
export function rejectPadding(token: string): void {
  if (token.includes('=')) {
    throw new JWTInvalid('A part of the token is padded.');
  }
}

function openRemoteKeys(uri: string): ReturnType<typeof createRemoteJWKSet> {
  return createRemoteJWKSet(new URL(uri), {
    timeoutDuration: timeoutMs,
    cacheMaxAge: cachedForMs,
    cooldownDuration: cooldownMs,
    async [customFetch](url, { headers, signal }) {
      const set = await fetchIssuerJson(url, signal, headers);
      if (Array.isArray(set?.['keys'])) {
        return Response.json(set);
      }

      throw createNoAnswerError(url, 'is not a set of keys');
    },
  });
}

/** RFC 7515, section 4.1.9: `application/` is optional, case is ignored. */
function normaliseMediaType(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '');
}

/** Short, so that a revoked token soon stops working. */
const answerValidMs = 60_000;

/** A known user stays accepted while requests to the issuer are limited. */
const knownForMs = 600_000;
/** Tokens accepted within this time take precedence over unknown tokens. */
const acceptedForMs = 86_400_000;

/** Without this limit, forged tokens would use up the requests that the issuer allows. */
const mostCallsPerSecond = 10;
const mostRefused = (mostCallsPerSecond * answerValidMs) / 1000;
const mostAccepted = 5000;

interface Cached<Value> {
  readonly value: Value;
  readonly until: number;
}

interface Accepted extends Cached<Claims> {
  readonly at: number;
}

/** Reads tokens at the UserInfo endpoint of the issuer (OpenID Connect Core, section 5.3). */
export function createOpaqueReader(issuer: TokenIssuer, now: () => number): TokenReader {
  let endpoint: Cached<string> | undefined;

  // Digests, to keep no token. Two maps, so forged tokens do not displace tokens of users.
  const accepted = new Map<string, Accepted>();
  const refused = new Map<string, number>();
  const budgets = { accepted: createBudget(now), unknown: createBudget(now) };

  async function ask(token: string): Promise<Claims | undefined> {
    const signal = AbortSignal.timeout(timeoutMs);
    if (!endpoint || now() >= endpoint.until) {
      const until = now() + cachedForMs;
      endpoint = { value: await findUserInfoEndpoint(issuer.uri, signal), until };
    }

    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
    return fetchIssuerJson(endpoint.value, signal, headers);
  }

  return {
    issuer,
    async read(token) {
      const digest = await computeSha256(token);
      const cached = accepted.get(digest);
      if (cached && now() < cached.until) {
        return cached.value;
      }
      if (now() < (refused.get(digest) ?? 0)) {
        throw createUnknownTokenError();
      }

      const isKnown = cached !== undefined && now() - cached.at < acceptedForMs;
      if (!budgets[isKnown ? 'accepted' : 'unknown']()) {
        if (cached && now() - cached.at < knownForMs) {
          return cached.value;
        }

        throw createNoAnswerError(
          issuer.uri,
          `was asked ${mostCallsPerSecond} times in this second`,
        );
      }

      const value = await ask(token);
      const at = now();

      accepted.delete(digest);
      if (value) {
        remember(accepted, digest, { value, at, until: at + answerValidMs }, mostAccepted);
        return value;
      }

      remember(refused, digest, at + answerValidMs, mostRefused);
      throw createUnknownTokenError();
    },
  };
}

function createUnknownTokenError(): JWTInvalid {
  return new JWTInvalid('The issuer does not know the token.');
}

/** Whether the limit allows another call in this second. */
function createBudget(now: () => number): () => boolean {
  let calls = { second: 0, count: 0 };
  return () => {
    const second = Math.floor(now() / 1000);
    calls = { second, count: calls.second === second ? calls.count + 1 : 1 };
    return calls.count <= mostCallsPerSecond;
  };
}

/** Removes the oldest entry if the map is full. */
function remember<Value>(
  memory: Map<string, Value>,
  key: string,
  value: Value,
  most: number,
): void {
  if (memory.size >= most) {
    for (const oldest of memory.keys().take(1)) {
      memory.delete(oldest);
    }
  }

  memory.set(key, value);
}

async function findUserInfoEndpoint(uri: string, signal: AbortSignal): Promise<string> {
  for (const url of listMetadataAddresses(uri)) {
    const metadata = await fetchIssuerJson(url, signal);
    if (!metadata) {
      continue;
    }

    // Prevents one issuer from speaking for another (RFC 8414, section 3.3).
    if (metadata['issuer'] !== uri) {
      throw createNoAnswerError(url, `belongs to another issuer than ${uri}`);
    }

    const endpoint = ServiceUrl.safeParse(metadata['userinfo_endpoint']);
    if (endpoint.success) {
      return endpoint.data;
    }

    throw createNoAnswerError(url, 'names no https: userinfo_endpoint');
  }

  throw createNoAnswerError(uri, 'publishes no metadata');
}

/** OpenID Connect Discovery appends the path; RFC 8414 puts it before the path of the issuer. */
function listMetadataAddresses(uri: string): string[] {
  const { origin, pathname } = new URL(uri);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/** Limit for all requests to an issuer about one token. */
const timeoutMs = 4_000;

/** Many times the size of a key set or of the claims of a user. */
const mostCharacters = 256 * 1024;

/** A JSON object from an issuer; undefined if it rejects the request. Does not follow redirects, which could send a token anywhere. */
async function fetchIssuerJson(
  url: string,
  signal: AbortSignal,
  headers: Headers | Record<string, string> = {},
): Promise<Record<string, unknown> | undefined> {
  const createTroubleError = (problem: string) => createNoAnswerError(url, problem);
  let response: Response;
  let text: string | undefined;

  try {
    response = await fetch(url, { headers, signal, redirect: 'manual', cache: 'no-store' });
    text = await readShortText(response);
  } catch {
    throw createTroubleError(
      signal.aborted ? `gave no answer in ${timeoutMs / 1000} s` : 'cannot be reached',
    );
  }

  const { status } = response;
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return undefined;
  }
  if (status !== 200) {
    throw createTroubleError(`answered ${status}`);
  }
  if (text === undefined) {
    throw createTroubleError(`answered with more than ${mostCharacters} characters`);
  }

  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Reported below.
  }

  throw createTroubleError('did not answer with a JSON object');
}

/** The body of an answer; undefined if it is longer than `mostCharacters`, of which no more is read. */
async function readShortText({ body }: Response): Promise<string | undefined> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;

    if (text.length > mostCharacters) {
      return undefined;
    }
  }

  return text;
}
