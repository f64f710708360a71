import { configuredDefaults } from '../../record/gather/defaults.ts';
import { openHttp } from '../../record/gather/open-http.ts';
import type { Http } from '../../io/http/client.ts';
import { readNpmConfig } from '../../io/http/npm-config.ts';
import { variableOf, variablePrefix } from '../../io/http/own-credentials.ts';
import { problem } from '../../core/schemas/finding.ts';
import type { SiteConfig } from '../../core/schemas/site-config.ts';
import type { SourceDefaults } from '../../record/sources/source.ts';
import { listComponents } from '../../io/files/root.ts';
import { readDefinition } from '../../io/files/read.ts';
import { refuseErrors, type Invocation } from './command.ts';

/**
 * Two hosts can have one variable, a-b.example and a.b.example. A definition that names the other host must not get what was
 * meant for the first, so nothing is sent then.
 */
function refuseSharedVariables(
  { root, env }: Invocation,
  { npmRegistryUrl, ...registries }: SourceDefaults,
): void {
  if (!Object.keys(env).some((name) => name.startsWith(variablePrefix))) return;
  const sources = listComponents(root).names.flatMap(
    (name) => readDefinition(root, name).value?.sources ?? [],
  );
  const named = [...Object.values(registries), npmRegistryUrl(''), ...sources.flatMap(Object.values)];
  const urls = named.flatMap((text) => URL.parse(String(text)) ?? []).filter(({ host }) => host !== '');
  const hosts = Map.groupBy(urls, variableOf);
  const findings = Array.from(hosts, ([variable, of]) => ({
    variable,
    of: [...new Set(of.map(({ host }) => host))],
  }))
    .filter(({ variable, of }) => env[variable] && of.length > 1)
    .map(({ variable, of }) =>
      problem(variable, `stands for ${of.sort().join(' and ')}, and is sent to none of them`),
    );
  refuseErrors(findings);
}

/** Who asks upstreams, and which registries a definition need not name. */
export function openUpstreams(
  invocation: Invocation,
  config: SiteConfig,
): { http: Http; defaults: SourceDefaults } {
  const { root, env, report, signal } = invocation;
  const npm = readNpmConfig(env, process.cwd());
  const warn = (subject: string, message: string) => report.finding({ level: 'warning', subject, message });
  for (const message of npm.warnings) warn("npm's configuration", `${message}.`);
  const defaults = configuredDefaults(npm);
  refuseSharedVariables(invocation, defaults);
  const onWarning = (message: string) => warn('.cache/http', message);
  return { http: openHttp({ root, config, env, npm, signal, onWarning }), defaults };
}
