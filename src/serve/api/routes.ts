import { callTool, showMetadata } from './agents.ts';
import {
  checkVersion,
  listComponents,
  showComponent,
  findBuilds,
  findReleases,
} from './components.ts';
import { exportBuildsSince, exportBuildsSinceBuild, exportEvents } from './exports.ts';
import type { Route } from './route.ts';
import { scanPackage, showPolicy, publishStatement, showStatement } from './packages.ts';
import { issueToken } from './token.ts';

/** All requests that the Worker answers, in the order of `openapi.json`. */
export const routes: readonly Route[] = [
  findReleases,
  checkVersion,
  listComponents,
  showComponent,
  findBuilds,
  exportBuildsSince,
  exportBuildsSinceBuild,
  exportEvents,
  publishStatement,
  scanPackage,
  showPolicy,
  showStatement,
  issueToken,
  callTool,
  showMetadata,
];
