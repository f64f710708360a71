import { join } from 'node:path';
import { createHttp, describeUserAgent } from '../io/http/client.ts';
import { readNpmConfig } from '../io/http/npm-config.ts';
import { nameVariable, variablePrefix } from '../io/http/own-credentials.ts';
import { problem, warning, throwErrors } from '../core/schemas/finding.ts';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { datasources } from '../record/sources/index.ts';
import type { SourceContext } from '../record/sources/datasource.ts';
import { cacheFolder, listComponents } from '../io/files/root.ts';
import { readDefinition } from '../record/read-definition.ts';
import type { RunContext } from './run-context.ts';
import type { GatherContext } from '../record/gather/ask-source.ts';
import { openValidatorStore } from '../io/http/validators.ts';
import { githubApiUrl } from '../record/sources/github.ts';

/**
 * Two hosts can share one variable: a-b.example and a.b.example. A definition with the other host must not get the credential of
 * the first, so neither gets it.
 */
function rejectSharedVariables(
  { root, env }: Pick<RunContext, 'root' | 'env'>,
  npmRegistry: SourceContext['npmRegistry'],
): void {
  if (!Object.keys(env).some((name) => name.startsWith(variablePrefix))) {
    return;
  }

  const sources = listComponents(root).names.flatMap(
    (name) => readDefinition(root, name).value?.sources ?? [],
  );
  const defaults = datasources.map(({ defaultRegistry }) => defaultRegistry);
  // npm's configuration may name a registry for a scope.
  const ofNpm = ['', ...sources.map(({ packageName = '' }) => packageName)].map(npmRegistry);
  const named = [...defaults, ...ofNpm, ...sources.flatMap(Object.values)];
  const urls = named
    .map((text) => URL.parse(String(text)))
    .filter((url) => url !== null)
    .filter(({ host }) => host !== '');

  const findings = Array.from(Map.groupBy(urls, nameVariable), ([variable, of]) => {
    const hosts = [...new Set(of.map(({ host }) => host))].sort();
    if (!env[variable] || hosts.length === 1) {
      return [];
    }

    return problem(variable, `applies to ${hosts.join(' and ')}, so it was sent to none of them`);
  });

  throwErrors(findings.flat());
}

/** A scope may have a registry of its own. */
export function npmRegistryBy(npm: ReturnType<typeof readNpmConfig>): SourceContext['npmRegistry'] {
  return (packageName) => {
    const scope = /^@[^/]+/.exec(packageName)?.[0];
    return (scope && npm.get(`${scope}:registry`)) ?? npm.get('registry');
  };
}

/**
 * The client for upstreams, and npm's configured registries. The client keeps answers between runs, and sends each host its
 * configured credentials: GitHub gets the token of the environment.
 */
export function openUpstreams(
  context: Pick<RunContext, 'root' | 'env' | 'report' | 'signal'>,
  config: SiteConfig,
): Pick<GatherContext, 'http' | 'npmRegistry'> {
  const { root, env, report, signal } = context;
  const npm = readNpmConfig(env, process.cwd());
  const npmRegistry = npmRegistryBy(npm);

  rejectSharedVariables(context, npmRegistry);

  const token = env['GITHUB_TOKEN'];
  const api = URL.parse(env['GITHUB_API_URL'] ?? githubApiUrl);

  const http = createHttp({
    userAgent: describeUserAgent(config),
    signal,
    tokens: new Map(token && api ? [[api.origin, token]] : []),
    validators: openValidatorStore(join(cacheFolder(root), 'http'), (message) =>
      report.finding(warning('.cache/http', message)),
    ),
    env,
    npm,
    plainHttpHosts: config.plainHttpHosts,
  });

  return { http, npmRegistry };
}
