import { buildExports } from './build-exports.ts';
import { findBuilds } from './builds.ts';
import { checkVersion, listComponents, showComponent } from './component-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { makePlan } from './plan-endpoint.ts';
import { attestPackage, scanPackage, showEnvelopes, showPolicy } from './scans.ts';
import { answerQuestion, findReleases } from './search-endpoints.ts';

/** All requests that the Worker answers. Routing, validation and documentation use this table. */
export const endpoints: readonly Endpoint[] = [
  findReleases,
  listComponents,
  showComponent,
  makePlan,
  checkVersion,
  answerQuestion,
  ...buildExports,
  findBuilds,
  scanPackage,
  attestPackage,
  showEnvelopes,
  showPolicy,
];
