import { defaultUrl } from 'registry-url';
import type { NpmConfig } from '../../io/http/npm-config.ts';
import { defaultRegistries } from '../sources/default-registries.ts';
import type { SourceDefaults } from '../sources/source.ts';

/** npm's registry comes from the configuration of npm; the other public registries are well known. */
export function configuredDefaults(npm: NpmConfig): SourceDefaults {
  return {
    ...defaultRegistries,
    npmRegistryUrl(packageName) {
      const scope = /^@[^/]+/.exec(packageName)?.[0];
      const ofScope = scope === undefined ? undefined : npm.get(`${scope}:registry`);
      return ofScope ?? npm.get('registry') ?? defaultUrl;
    },
  };
}
