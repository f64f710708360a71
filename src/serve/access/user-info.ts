/** Opaque tokens, which only their issuer can read. */
import { hash } from 'node:crypto';
import {
  allowInsecureRequests,
  discoveryRequest,
  processDiscoveryResponse,
  processUserInfoResponse,
  skipSubjectCheck,
  userInfoRequest,
} from 'oauth4webapi';
import type { Issuer } from '../../core/schema/access.ts';

const metadataMs = 600_000;
/** A revoked token works no longer than that. */
const claimsMs = 60_000;
const maxKept = 5000;
const client = { client_id: 'release-index' };

/**
 * Asks the UserInfo endpoint of the issuer for the claims of a token (OpenID Connect Core, section 5.3); undefined for an invalid one. Throws
 * where the issuer cannot be asked. Neither request follows a redirect, which could send a token anywhere.
 */
export function openUserInfoReader({ uri }: Issuer) {
  const options = {
    signal: () => AbortSignal.timeout(4000),
    [allowInsecureRequests]: uri.startsWith('http:'),
  };
  const findServer = remember(metadataMs, async (issuer) => {
    const url = new URL(issuer);
    return processDiscoveryResponse(url, await discoveryRequest(url, options));
  });

  return remember(claimsMs, async (token) => {
    const server = await findServer(uri);
    const response = await userInfoRequest(server, client, token, options);
    const { status } = response;
    const isRejected = status >= 400 && status < 500 && ![408, 429].includes(status);
    return isRejected
      ? undefined
      : processUserInfoResponse(server, client, skipSubjectCheck, response);
  });
}

/** Asks again after some time. Keeps digests, no tokens. */
function remember<Answer>(forMs: number, ask: (text: string) => Promise<Answer>) {
  const answers = new Map<string, { readonly answer: Answer; readonly at: number }>();
  return async (text: string): Promise<Answer> => {
    const digest = hash('sha256', text);
    const now = Date.now();
    const kept = answers.get(digest);
    if (kept && now - kept.at < forMs) {
      return kept.answer;
    }

    const answer = await ask(text);
    answers.set(digest, { answer, at: now });
    if (answers.size > maxKept) {
      const [oldest = ''] = answers.keys();
      answers.delete(oldest);
    }
    return answer;
  };
}
