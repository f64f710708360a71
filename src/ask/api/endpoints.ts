import { buildEndpoints } from './builds.ts';
import { changeEndpoints } from './changes.ts';
import { componentEndpoints } from './components.ts';
import type { Endpoint } from './endpoint.ts';
import { scanDocument } from './document-scan.ts';
import { findReleases } from './find-releases.ts';
import { mineEndpoints } from './mine.ts';
import { attestPackage, scanPackage, showEnvelopes, showPolicy } from './scans.ts';

/** All requests that the Worker answers. Routing, validation and documentation use this table. */
export const endpoints: readonly Endpoint[] = [
  findReleases,
  ...componentEndpoints,
  ...mineEndpoints,
  ...changeEndpoints,
  ...buildEndpoints,
  ...[scanPackage, attestPackage, scanDocument, showEnvelopes, showPolicy],
];
