import { join } from 'node:path';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { warning } from '../core/schemas/finding.ts';
import { openCacheFolder } from '../io/files/root.ts';
import { createHttp } from '../io/http/client.ts';
import { openAnswerStore } from '../io/http/answer-store.ts';
import { readNpmConfig } from '../io/http/npm-config.ts';
import type { GatherContext } from '../record/gather/ask-source.ts';
import { githubApiUrl } from '../record/sources/github.ts';
import type { RunContext } from './run-context.ts';

/** The client for upstreams, and npm's configured registries. */
export type Upstreams = Pick<GatherContext, 'http' | 'npmRegistry'>;

/** Opens a client that keeps answers between runs, and sends each host its configured credentials. */
export function openUpstreams(
  context: Pick<RunContext, 'root' | 'env' | 'report' | 'signal'>,
  config: SiteConfig,
): Upstreams {
  const { root, env, report, signal } = context;
  const npm = readNpmConfig(env, root.dir);

  const http = createHttp({
    repositoryUrl: config.repositoryUrl,
    signal,
    tokens: readTokens(context),
    answerStore: openAnswerStore(join(openCacheFolder(root), 'http'), (message) =>
      report.finding(warning('.cache/http', message)),
    ),
    env,
    npm,
    plainHttpHosts: config.plainHttpHosts,
  });

  return { http, npmRegistry: createRegistryFinder(npm) };
}

/** GitHub's token of the environment, by the origin of its API. */
export function readTokens({ env, report }: Pick<RunContext, 'env' | 'report'>) {
  const tokens = new Map<string, string>();
  const { GITHUB_TOKEN: token, GITHUB_API_URL: address } = env;
  if (token) {
    const api = URL.parse(address || githubApiUrl);
    // `ghe.example.com:8443` is the scheme of an address without a host.
    if (api?.host) {
      tokens.set(api.origin, token);
    } else {
      report.finding(warning('GITHUB_API_URL', 'is not an address, so GITHUB_TOKEN is not sent'));
    }
  }
  return tokens;
}

/** Returns a function that finds npm's configured registry for a package: that of its scope, otherwise the general one. */
export function createRegistryFinder(
  npm: ReturnType<typeof readNpmConfig>,
): Upstreams['npmRegistry'] {
  return (packageName) => {
    const scope = /^@[^/]+/.exec(packageName)?.[0];
    return (scope && npm.get(`${scope}:registry`)) ?? npm.get('registry');
  };
}
