/** The tokens of container registries: a registry names a service in a challenge, and the service issues a token for a scope. */
import * as z from 'zod';
import { cutStart } from '../../core/text/foreign-text.ts';
import { parseIfJson } from '../files/read-documents.ts';

/**
 * A Bearer challenge (RFC 6750, section 3) of a container registry:
 * https://distribution.github.io/distribution/spec/auth/token/
 */
export interface Challenge {
  /** The URL of the token service. */
  realm: string;
  service?: string | undefined;
}

/** The tokens of a run, by registry and scope. */
export function createBearerTokens() {
  const tokens = new Map<string, Promise<string>>();

  return {
    /** The token of an earlier request; waits for a pending request. A failed request is final for the run. */
    findToken: async (origin: string, scope: string) => tokens.get(`${origin} ${scope}`),
    /** A token other than the refused one, which may have expired. Concurrent callers share one request. */
    async renew(
      origin: string,
      scope: string,
      refusedToken: string | undefined,
      request: () => Promise<string>,
    ): Promise<string> {
      const key = `${origin} ${scope}`;
      const previous = tokens.get(key);
      const token = await previous;
      if (token !== undefined && token !== refusedToken) {
        return token;
      }

      // Several callers may have waited for the same old token. The first of them requests a new one.
      if (tokens.get(key) === previous) {
        tokens.set(key, request());
      }
      return tokens.get(key)!;
    },
  };
}

/** The Bearer challenge in a `WWW-Authenticate` header, which may hold several (RFC 9110, section 11.6.1). */
export function parseChallenge(value = ''): Challenge | undefined {
  const header = cutStart(value);
  // The beginning of the challenge, also after another: `Basic realm="x", Bearer `. A quoted text may hold anything.
  const unquoted = header.replaceAll(/"(?:[^"\\]|\\.)*"/g, ({ length }) => '"'.repeat(length));
  const start = /(?:^|,)\s*Bearer\s+/i.exec(unquoted);
  if (!start) {
    return undefined;
  }

  // Adjacent parameters, such as `realm="https://auth.example/token"` and `,service=registry`.
  const matches = header
    .slice(start.index + start[0].length)
    .matchAll(/\s*(?:,\s*)?([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gy);
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of matches) {
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain);
  }

  const realm = parameters.get('realm');
  return realm ? { realm, service: parameters.get('service') } : undefined;
}

const Token = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .optional()
  .catch(undefined);
const TokenAnswer = z.object({ token: Token, access_token: Token });

/** The token in a token service's answer, if it has any. */
export function readToken(text: string): string | undefined {
  const { data } = TokenAnswer.safeParse(parseIfJson(text));
  return data?.token ?? data?.access_token;
}
