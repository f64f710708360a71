import { join } from 'node:path';
import { createHttp, type Http, userAgentOf } from '../../io/http/client.ts';
import type { NpmConfig } from '../../io/http/npm-config.ts';
import { openValidatorStore } from '../../io/http/validators.ts';
import type { SiteConfig } from '../../core/schemas/site-config.ts';
import { githubApiUrl } from '../sources/github.ts';
import type { SourceContext } from '../sources/source.ts';
import { cacheFolder, type Root } from '../../io/files/root.ts';

export interface HttpInput {
  root: Root;
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  npm: NpmConfig;
  signal: AbortSignal;
  onWarning(message: string): void;
}

/**
 * The client of a gather: it keeps answers between runs, sends GitHub the token of the environment, and others what they
 * were given.
 */
export function openHttp({ root, config, env, npm, signal, onWarning }: HttpInput): Http {
  const tokens = new Map<string, string>();
  const token = env['GITHUB_TOKEN'];
  const api = URL.parse(env['GITHUB_API_URL'] ?? githubApiUrl);
  if (token && api) tokens.set(api.origin, token);
  return createHttp({
    userAgent: userAgentOf(config),
    signal,
    tokens,
    validators: openValidatorStore(join(cacheFolder(root), 'http'), onWarning),
    env,
    npm,
  });
}

/** A scope may have a registry of its own. */
export function configuredNpmRegistry(config: NpmConfig): SourceContext['npmRegistry'] {
  return (packageName) => {
    const scope = /^@[^/]+/.exec(packageName)?.[0];
    const ofScope = scope === undefined ? undefined : config.get(`${scope}:registry`);
    return ofScope ?? config.get('registry');
  };
}
