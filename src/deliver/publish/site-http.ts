import type { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { inputError } from '../../core/schemas/finding.ts';
import { createHttp, type Http } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';

/** Holds access keys or a token for requests to the published index. */
export const readingKeyVariable = 'RELEASE_INDEX_KEY';

export const tokenRemedy = `To publish: put a token of your authorization server into ${readingKeyVariable} (ACCESS.md, "Publish without access keys")`;

/** Several while a key is being replaced: the live site accepts the old key, the new site the new key. */
export function listReadingKeys(env: NodeJS.ProcessEnv): string[] {
  return (env[readingKeyVariable] ?? '').split(/[\s,]+/).filter((key) => key !== '');
}

export interface SiteHttpInput {
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** The only address that receives the key; the configured address if absent. */
  ownUrl?: string | undefined;
}

/** The client of a published site. */
export type SiteHttp = Pick<Http, 'fetch' | 'close'>;

/** Opens the client of a published site. Retries little, as a person may be waiting. Throws an InputError if the key is malformed. */
export function openSiteHttp({
  config,
  env,
  signal,
  ownUrl = config.releasesUrl,
}: SiteHttpInput): SiteHttp {
  const keys = listReadingKeys(env);
  if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    throw inputError(readingKeyVariable, 'expected an access key, as "key new" shows it');
  }

  const clients = (keys.length > 0 ? keys : [undefined]).map((key) =>
    createHttp({
      repositoryUrl: config.repositoryUrl,
      signal,
      env,
      tokens: key === undefined ? undefined : new Map([[ownUrl, key]]),
      keyVariable: { origin: new URL(ownUrl).origin, name: readingKeyVariable },
      limits: { maxRetries: 1, totalMs: 60_000 },
    }),
  );

  return tryInTurn(clients);
}

/** Repeats a request with the next key after a 401, and from then on begins with the key that worked. */
function tryInTurn(clients: readonly Http[]): SiteHttp {
  let ordered = clients;

  return {
    async fetch(request) {
      let denial: unknown;
      for (const client of ordered) {
        try {
          const answer = await client.fetch(request);
          ordered = [...new Set([client, ...clients])];
          return answer;
        } catch (error) {
          if (!(error instanceof HttpError && error.status === 401)) {
            throw error;
          }

          denial = error;
        }
      }

      throw denial;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** A client without the credentials of this index. */
export function openAnonymousHttp({ env, ...input }: SiteHttpInput): SiteHttp {
  const variables = Object.entries(env).filter(([name]) => !/^RELEASE_INDEX_/i.test(name));
  return openSiteHttp({ ...input, env: Object.fromEntries(variables) });
}
