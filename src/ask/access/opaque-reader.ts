import { UpstreamUrl } from '../../core/schemas/links.ts';
import type { TokenIssuer } from '../../core/schemas/token-issuer.ts';
import { sha256Hex } from './find-access-key.ts';
import { fetchIssuerJson, IssuerTroubleError, keptForMs, patienceMs } from './issuer-json.ts';
import type { Claims, TokenReader } from './token-reader.ts';

/** An answer on a token holds no longer, or one that was revoked would go on to count. */
const answerHoldsMs = 60_000;
const mostAnswers = 1_000;

interface Kept<Value> {
  readonly value: Value;
  readonly until: number;
}

/** Reads tokens by asking the issuer whose they are, at its UserInfo endpoint (OpenID Connect Core, section 5.3). */
export function createOpaqueReader(issuer: TokenIssuer, now: () => number): TokenReader {
  let endpoint: Kept<string> | undefined;
  // By digest, so that no token is kept. Only what counts: one that does not is asked for anew.
  const answers = new Map<string, Kept<Claims>>();

  async function findEndpoint(signal: AbortSignal): Promise<string> {
    if (endpoint && now() < endpoint.until) return endpoint.value;
    const until = now() + keptForMs;
    const value = await userInfoEndpoint(issuer.uri, signal);
    endpoint = { value, until };
    return value;
  }

  return {
    issuer,
    async read(token) {
      const digest = await sha256Hex(token);
      const known = answers.get(digest);
      if (known && now() < known.until) return known.value;
      answers.delete(digest);
      const signal = AbortSignal.timeout(patienceMs);
      const url = await findEndpoint(signal);
      const until = now() + answerHoldsMs;
      const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
      const value = await fetchIssuerJson(url, { signal, headers });
      if (!value) throw new Error('The issuer does not know the token.');
      if (answers.size >= mostAnswers) answers.delete(answers.keys().next().value!);
      answers.set(digest, { value, until });
      return value;
    },
  };
}

async function userInfoEndpoint(uri: string, signal: AbortSignal): Promise<string> {
  for (const url of metadataAddresses(uri)) {
    const metadata = await fetchIssuerJson(url, { signal });
    if (!metadata) continue;
    // Otherwise one issuer could speak for another (RFC 8414, section 3.3).
    if (metadata['issuer'] !== uri)
      throw new IssuerTroubleError(url, `is that of another issuer than ${uri}`);
    const endpoint = UpstreamUrl.safeParse(metadata['userinfo_endpoint']);
    if (endpoint.success) return endpoint.data;
    throw new IssuerTroubleError(url, 'names no https: userinfo_endpoint');
  }
  throw new IssuerTroubleError(uri, 'publishes no metadata');
}

/** OpenID Connect Discovery appends the path, RFC 8414 puts it before that of the issuer. */
function metadataAddresses(uri: string): string[] {
  const { origin, pathname } = new URL(uri);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}
