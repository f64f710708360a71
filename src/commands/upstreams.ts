import { configuredDefaults } from '../gather/defaults.ts';
import { openHttp } from '../gather/open-http.ts';
import type { Http } from '../http/client.ts';
import { readNpmConfig } from '../http/npm-config.ts';
import type { SiteConfig } from '../model/site-config.ts';
import type { SourceDefaults } from '../sources/source.ts';
import type { Invocation } from './command.ts';

/** Who asks upstreams, and which registries a definition need not name. */
export function openUpstreams(
  { root, env, report, signal }: Invocation,
  config: SiteConfig,
): { http: Http; defaults: SourceDefaults } {
  const npm = readNpmConfig(env, process.cwd());
  const warn = (subject: string, message: string) => report.finding({ level: 'warning', subject, message });
  for (const message of npm.warnings) warn("npm's configuration", `${message}.`);
  const onWarning = (message: string) => warn('.cache/http', message);
  return { http: openHttp({ root, config, env, npm, signal, onWarning }), defaults: configuredDefaults(npm) };
}
