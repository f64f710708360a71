import registryUrl from 'registry-url';
import { defaultRegistries } from '../sources/default-registries.ts';
import type { SourceDefaults } from '../sources/source.ts';

/** Registries that a definition need not name: npm's from the configuration of npm, the others well known. */
export const configuredDefaults: SourceDefaults = {
  ...defaultRegistries,
  npmRegistryUrl: (packageName) => registryUrl(/^@[^/]+/.exec(packageName)?.[0]),
};
