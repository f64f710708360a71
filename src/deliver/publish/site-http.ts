import type { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { inputError } from '../../core/schemas/finding.ts';
import { createHttp, describeUserAgent, type Http } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { readNpmConfig } from '../../io/http/npm-config.ts';

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

/** A client for a published site. Retries little, as a person may be waiting. Throws an InputError if the key is malformed. */
export function openSiteHttp({
  config,
  env,
  signal,
  ownUrl = config.releasesUrl,
}: SiteHttpInput): Http {
  const keys = listReadingKeys(env);
  if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    throw inputError(readingKeyVariable, 'expected an access key, as "key new" shows it');
  }

  const npm = readNpmConfig(env, process.cwd());

  const clients = (keys.length > 0 ? keys : [undefined]).map((key) =>
    createHttp({
      userAgent: describeUserAgent(config),
      signal,
      env,
      npm,
      tokens: key === undefined ? undefined : new Map([[ownUrl, key]]),
      keyVariable: { origin: new URL(ownUrl).origin, name: readingKeyVariable },
      limits: { maxRetries: 1, totalMs: 60_000 },
    }),
  );

  return clients.reduce(repeatWithFallback);
}

/** A client that repeats a request with the other key after a 401, and from then on begins with the key that worked. */
function repeatWithFallback(firstHttp: Http, secondHttp: Http): Http {
  let preferred = firstHttp;

  return {
    ...firstHttp,
    async fetch(request) {
      const client = preferred;
      try {
        return await client.fetch(request);
      } catch (error) {
        if (!(error instanceof HttpError && error.status === 401)) {
          throw error;
        }

        const fallback = client === firstHttp ? secondHttp : firstHttp;
        const answer = await fallback.fetch(request);
        preferred = fallback;
        return answer;
      }
    },
    async close() {
      await Promise.all([firstHttp.close(), secondHttp.close()]);
    },
  };
}

/** A client without the credentials of this index. */
export function openAnonymousHttp({ env, ...input }: SiteHttpInput): Http {
  const variables = Object.entries(env).filter(([name]) => !/^RELEASE_INDEX_/i.test(name));
  return openSiteHttp({ ...input, env: Object.fromEntries(variables) });
}
