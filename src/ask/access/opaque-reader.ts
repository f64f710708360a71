import { UpstreamUrl } from '../../core/schemas/links.ts';
import type { TokenIssuer } from '../../core/schemas/token-issuer.ts';
import { sha256Hex } from '../sha256.ts';
import { fetchIssuerJson, IssuerTroubleError, cachedForMs, timeoutMs } from './issuer-json.ts';
import type { Claims, TokenReader } from './token-reader.ts';

/** Short, so that a revoked token soon stops working. */
const answerValidMs = 60_000;

/** Without this limit, made-up tokens would use up the requests that the issuer allows this index. */
const mostCallsPerSecond = 10;
const mostAnswers = (mostCallsPerSecond * answerValidMs) / 1000;

interface Cached<Value> {
  readonly value: Value;
  readonly until: number;
}

/** Reads tokens at the UserInfo endpoint of the issuer (OpenID Connect Core, section 5.3). */
export function createOpaqueReader(issuer: TokenIssuer, now: () => number): TokenReader {
  let endpoint: Cached<string> | undefined;
  // By digest, so that no token is kept; undefined for a token that the issuer rejected.
  const answers = new Map<string, Cached<Claims | undefined>>();
  let calls = { second: 0, count: 0 };

  async function findEndpoint(signal: AbortSignal): Promise<string> {
    if (endpoint && now() < endpoint.until) return endpoint.value;
    const until = now() + cachedForMs;
    const value = await userInfoEndpoint(issuer.uri, signal);
    endpoint = { value, until };
    return value;
  }

  async function ask(token: string): Promise<Claims | undefined> {
    const second = Math.floor(now() / 1000);
    calls = { second, count: calls.second === second ? calls.count + 1 : 1 };
    if (calls.count > mostCallsPerSecond)
      throw new IssuerTroubleError(issuer.uri, `was asked ${mostCallsPerSecond} times in this second`);
    const signal = AbortSignal.timeout(timeoutMs);
    const url = await findEndpoint(signal);
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
    return fetchIssuerJson(url, { signal, headers });
  }

  return {
    issuer,
    async read(token) {
      const digest = await sha256Hex(token);
      let known = answers.get(digest);
      if (!known || now() >= known.until) {
        answers.delete(digest);
        known = { until: now() + answerValidMs, value: await ask(token) };
        if (answers.size >= mostAnswers) answers.delete(answers.keys().next().value!);
        answers.set(digest, known);
      }
      if (known.value) return known.value;
      throw new Error('The issuer does not know the token.');
    },
  };
}

async function userInfoEndpoint(uri: string, signal: AbortSignal): Promise<string> {
  for (const url of metadataAddresses(uri)) {
    const metadata = await fetchIssuerJson(url, { signal });
    if (!metadata) continue;
    // Prevents one issuer from speaking for another (RFC 8414, section 3.3).
    if (metadata['issuer'] !== uri)
      throw new IssuerTroubleError(url, `belongs to another issuer than ${uri}`);
    const endpoint = UpstreamUrl.safeParse(metadata['userinfo_endpoint']);
    if (endpoint.success) return endpoint.data;
    throw new IssuerTroubleError(url, 'names no https: userinfo_endpoint');
  }
  throw new IssuerTroubleError(uri, 'publishes no metadata');
}

/** OpenID Connect Discovery appends the path, RFC 8414 puts it before that of the issuer. */
export function metadataAddresses(uri: string): string[] {
  const { origin, pathname } = new URL(uri);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}
