import { buildEndpoints } from './builds.ts';
import { componentEndpoints } from './component-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { findReleases } from './find-releases.ts';
import { attestPackage, scanPackage, showEnvelopes, showPolicy } from './scans.ts';

/** All requests that the Worker answers. Routing, validation and documentation use this table. */
export const endpoints: readonly Endpoint[] = [
  findReleases,
  ...componentEndpoints,
  ...buildEndpoints,
  ...[scanPackage, attestPackage, showEnvelopes, showPolicy],
];
