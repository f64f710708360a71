import type { Env } from '../../core/env.ts';
import { createHttp, type Http, userAgentOf } from '../../io/http/client.ts';
import { EnvironmentError } from '../../io/http/error.ts';
import { readNpmConfig } from '../../io/http/npm-config.ts';
import type { SiteConfig } from '../../core/schemas/site-config.ts';

/** An access key of the index itself, for whatever asks it at its own address. */
export const ownKeyVariable = 'RELEASE_INDEX_KEY';

export interface SiteHttpInput {
  config: SiteConfig;
  env: Env;
  signal: AbortSignal;
  /** The address of the index itself, where it is not the one of its configuration. No other is sent the key. */
  ownUrl?: string | undefined;
}

/** The client for a published site: a person may be waiting. Throws an EnvironmentError where the key is none. */
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

/** The client of somebody whom the site does not know. */
export function openStrangersHttp({ env, ...input }: SiteHttpInput): Http {
  const open = Object.entries(env).filter(([name]) => !/^RELEASE_INDEX_/i.test(name));
  return openSiteHttp({ ...input, env: Object.fromEntries(open) });
}
