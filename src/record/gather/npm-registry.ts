import type { NpmConfig } from '../../io/http/npm-config.ts';
import type { SourceContext } from '../sources/source.ts';

/** A scope may have a registry of its own. */
export function configuredNpmRegistry(config: NpmConfig): SourceContext['npmRegistry'] {
  return (packageName) => {
    const scope = /^@[^/]+/.exec(packageName)?.[0];
    const ofScope = scope === undefined ? undefined : config.get(`${scope}:registry`);
    return ofScope ?? config.get('registry');
  };
}
