import { JWTInvalid } from 'jose/errors';
import { computeSha256 } from '../../../core/model/digest.ts';
import type { TokenIssuer } from '../../../core/schemas/access/token-issuer.ts';
import { ServiceUrl } from '../../../core/schemas/scalars.ts';
import {
  createNoAnswerError,
  fetchIssuerJson,
  metadataValidMs,
  timeoutMs,
} from './issuer-requests.ts';
import type { Claims, TokenReader } from './issuer-tokens.ts';

/** Short, so that a revoked token soon stops working. */
const answerValidMs = 60_000;

/** A known user stays accepted while requests to the issuer are limited. */
const knownForMs = 600_000;
/** Tokens accepted within this time take precedence over unknown tokens. */
const acceptedForMs = 86_400_000;

/** Without this limit, forged tokens would use up the requests that the issuer allows. */
const maxCallsPerSecond = 10;
const maxRefused = (maxCallsPerSecond * answerValidMs) / 1000;
const maxAccepted = 5000;

/** Reads tokens at the UserInfo endpoint of the issuer (OpenID Connect Core, section 5.3). */
export function createOpaqueReader(issuer: TokenIssuer, now: () => number): TokenReader {
  let metadata: { readonly endpoint: string; readonly validUntil: number } | undefined;

  // Digests, to keep no token. Two maps, so forged tokens do not displace tokens of users.
  const accepted = new Map<string, { claims: Claims; at: number }>();
  const refusedUntil = new Map<string, number>();
  const takeAcceptedCall = createBudget(now);
  const takeUnknownCall = createBudget(now);

  async function fetchClaims(token: string): Promise<Claims | undefined> {
    const signal = AbortSignal.timeout(timeoutMs);
    if (!metadata || now() >= metadata.validUntil) {
      const validUntil = now() + metadataValidMs;
      metadata = { endpoint: await findUserInfoEndpoint(issuer.uri, signal), validUntil };
    }

    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
    return fetchIssuerJson(metadata.endpoint, signal, headers);
  }

  return {
    issuer,
    async read(token) {
      const digest = await computeSha256(token);
      const lastAccepted = accepted.get(digest);
      const ageMs = lastAccepted ? now() - lastAccepted.at : Infinity;
      if (lastAccepted && ageMs < answerValidMs) {
        return lastAccepted.claims;
      }
      if (now() < (refusedUntil.get(digest) ?? 0)) {
        throw createUnknownTokenError();
      }

      const takeCall = ageMs < acceptedForMs ? takeAcceptedCall : takeUnknownCall;
      if (!takeCall()) {
        if (lastAccepted && ageMs < knownForMs) {
          return lastAccepted.claims;
        }

        const trouble = `was asked ${maxCallsPerSecond} times in this second`;
        throw createNoAnswerError(issuer.uri, trouble);
      }

      const claims = await fetchClaims(token);
      const at = now();

      // A map keeps the order of insertion, and the oldest entry is removed first.
      accepted.delete(digest);
      if (claims) {
        remember(accepted, digest, { claims, at }, maxAccepted);
        return claims;
      }

      remember(refusedUntil, digest, at + answerValidMs, maxRefused);
      throw createUnknownTokenError();
    },
  };
}

function createUnknownTokenError(): JWTInvalid {
  return new JWTInvalid('The issuer does not know the token.');
}

/** Returns a function that counts calls in each second, and says whether the limit allows another one. */
function createBudget(now: () => number): () => boolean {
  let second = 0;
  let calls = 0;

  return () => {
    const currentSecond = Math.floor(now() / 1000);
    calls = currentSecond === second ? calls + 1 : 1;
    second = currentSecond;
    return calls <= maxCallsPerSecond;
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
    const [oldest] = memory.keys();
    memory.delete(oldest!);
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
