import { exportBuildsSince, exportBuildsSinceBuild, exportEvents } from '../builds/exports.ts';
import { findBuilds } from '../builds/find-builds.ts';
import { callTool, showMetadata } from './agents.ts';
import {
  checkVersion,
  findReleases,
  listComponents,
  showComponent,
  showLifeCycle,
  showProductRelease,
} from './components.ts';
import { scanPackage, showPolicy, publishStatement, showStatement } from './packages.ts';
import type { Route } from './route.ts';
import { issueToken } from './token.ts';

/** All routes of the Worker, in the order of `openapi.json`. */
export const routes: readonly Route[] = [
  findReleases,
  checkVersion,
  listComponents,
  showComponent,
  showLifeCycle,
  showProductRelease,
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
