import { msPerDay } from '../../../core/model/dates.ts';
import { computeSha256 } from '../../../core/model/digest.ts';
import type { TokenIssuer } from '../../../core/schemas/access/token-issuer.ts';
import { ServiceUrl } from '../../../core/schemas/urls.ts';
import {
  fetchIssuerJson,
  InvalidToken,
  IssuerError,
  metadataValidMs,
  startTimeLimit,
  type Claims,
  type TokenReader,
} from './issuer-tokens.ts';

/** How long the issuer is not asked again. Short, so that a revoked token soon stops working. */
const freshMs = 60_000;

/** How long an accepted token stays accepted while the limit of requests is used up. */
const usableMs = 600_000;

/** How long an accepted token is asked about under a limit of its own, which forged tokens cannot use up. */
const knownMs = msPerDay;

/** Each limit of requests to the issuer. It may itself allow only some. */
const maxCallsPerSecond = 10;
const maxRejected = (maxCallsPerSecond * freshMs) / 1000;
const maxAccepted = 5000;

/** Reads tokens at the UserInfo endpoint of the issuer (OpenID Connect Core, section 5.3). */
export function createOpaqueReader(issuer: TokenIssuer): TokenReader {
  const findEndpoint = createEndpointFinder(issuer.uri);
  const answers: TokenAnswers = { accepted: new Map(), rejected: new Map() };
  const allowKnown = createCallLimit();
  const allowUnknown = createCallLimit();

  async function fetchAnswer(token: string): Promise<TokenAnswer> {
    const timeLimit = startTimeLimit();
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
    const claims = await fetchIssuerJson(await findEndpoint(timeLimit), timeLimit, headers);
    return { claims, at: Date.now() };
  }

  return {
    issuer,
    async read(token) {
      const digest = await computeSha256(token);
      const lastAnswer = answers.accepted.get(digest) ?? answers.rejected.get(digest);
      const ageMs = lastAnswer ? Date.now() - lastAnswer.at : Infinity;
      if (lastAnswer && ageMs < freshMs) {
        return requireClaims(lastAnswer);
      }

      const isKnown = lastAnswer?.claims !== undefined && ageMs < knownMs;
      if (isKnown ? allowKnown() : allowUnknown()) {
        // Parallel requests with one token each ask the issuer: the host lets no request wait for what another has begun.
        const answer = await fetchAnswer(token);
        keepAnswer(answers, digest, answer);
        return requireClaims(answer);
      }
      if (lastAnswer?.claims && ageMs < usableMs) {
        return lastAnswer.claims;
      }

      throw new IssuerError(issuer.uri, `was asked ${maxCallsPerSecond} times in this second`);
    },
  };
}

/** An answer of the issuer about a token, with its time. */
interface TokenAnswer {
  /** Undefined for a rejected token. */
  readonly claims: Claims | undefined;
  readonly at: number;
}

/** The last answers by the digests of tokens, to keep no token. Two maps, so forged tokens do not displace tokens of users. */
interface TokenAnswers {
  readonly accepted: Map<string, TokenAnswer>;
  readonly rejected: Map<string, TokenAnswer>;
}

function requireClaims({ claims }: TokenAnswer): Claims {
  if (!claims) {
    throw new InvalidToken('The issuer does not know the token.');
  }

  return claims;
}

/** Replaces the last answer about a token, and removes the oldest answer if there are too many. */
function keepAnswer(
  { accepted, rejected }: TokenAnswers,
  digest: string,
  answer: TokenAnswer,
): void {
  accepted.delete(digest);
  rejected.delete(digest);

  const [answers, limit] = answer.claims ? [accepted, maxAccepted] : [rejected, maxRejected];
  if (answers.size >= limit) {
    // A map keeps the order of insertion.
    const [oldest = ''] = answers.keys();
    answers.delete(oldest);
  }

  answers.set(digest, answer);
}

/** Returns a function that counts its calls in each second, and says whether the limit allows this one. */
function createCallLimit(): () => boolean {
  let second = 0;
  let calls = 0;

  return () => {
    const currentSecond = Math.floor(Date.now() / 1000);
    calls = currentSecond === second ? calls + 1 : 1;
    second = currentSecond;
    return calls <= maxCallsPerSecond;
  };
}

/** Returns a function that finds the UserInfo endpoint, and keeps it while the metadata of the issuer is valid. */
function createEndpointFinder(uri: string): (timeLimit: AbortSignal) => Promise<string> {
  let cached: { endpoint: string; at: number } | undefined;

  return async (timeLimit) => {
    const at = Date.now();
    if (!cached || at >= cached.at + metadataValidMs) {
      cached = { endpoint: await findUserInfoEndpoint(uri, timeLimit), at };
    }

    return cached.endpoint;
  };
}

/** Reads the metadata of the issuer. Throws an `IssuerError` if they name no endpoint. */
async function findUserInfoEndpoint(uri: string, timeLimit: AbortSignal): Promise<string> {
  for (const url of listMetadataAddresses(uri)) {
    const metadata = await fetchIssuerJson(url, timeLimit);
    if (!metadata) {
      continue;
    }

    // Prevents one issuer from speaking for another (RFC 8414, section 3.3).
    if (metadata['issuer'] !== uri) {
      throw new IssuerError(url, `belongs to another issuer than ${uri}`);
    }

    const endpoint = ServiceUrl.safeParse(metadata['userinfo_endpoint']);
    if (endpoint.success) {
      return endpoint.data;
    }

    throw new IssuerError(url, 'names no https: userinfo_endpoint');
  }

  throw new IssuerError(uri, 'publishes no metadata');
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
