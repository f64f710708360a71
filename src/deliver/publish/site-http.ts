import { createHttp, type Http, userAgentOf } from '../../io/http/client.ts';
import { EnvironmentError } from '../../io/http/error.ts';
import { readNpmConfig } from '../../io/http/npm-config.ts';
import type { SiteConfig } from '../../core/schemas/site-config.ts';

/** Holds an access key of the index itself, for requests to its own address. */
export const ownKeyVariable = 'RELEASE_INDEX_KEY';

export interface SiteHttpInput {
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** The only address that is sent the key; that of the configuration where absent. */
  ownUrl?: string | undefined;
}

/** A client for a published site: a person may be waiting. Throws an EnvironmentError where the key is malformed. */
export function openSiteHttp({ config, env, signal, ownUrl = config.releasesUrl }: SiteHttpInput): Http {
  const key = env[ownKeyVariable]?.trim();
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new EnvironmentError(ownKeyVariable, 'expected an access key, as "key new" shows it');
  return createHttp({
    userAgent: userAgentOf(config),
    signal,
    env,
    npm: readNpmConfig(env, process.cwd()),
    ...(key && { tokens: new Map([[ownUrl, key]]) }),
    limits: { maxRetries: 1, totalMs: 60_000 },
  });
}

/** The same client without credentials of ours. */
export function openAnonymousHttp({ env, ...input }: SiteHttpInput): Http {
  const open = Object.entries(env).filter(([name]) => !/^RELEASE_INDEX_/i.test(name));
  return openSiteHttp({ ...input, env: Object.fromEntries(open) });
}
