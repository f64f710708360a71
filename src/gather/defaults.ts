import registryUrl from 'registry-url';
import { defaultRegistries } from '../sources/default-registries.ts';
import type { SourceDefaults } from '../sources/source.ts';

/** npm's registry comes from the configuration of npm; the other public registries are well known. */
export const configuredDefaults: SourceDefaults = {
  ...defaultRegistries,
  npmRegistryUrl: (packageName) => registryUrl(/^@[^/]+/.exec(packageName)?.[0]),
};
