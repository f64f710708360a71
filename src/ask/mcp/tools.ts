import { changesSinceTool, comingChangesTool } from './change-tools.ts';
import { findReleasesTool, listComponents, runsTool } from './index-tools.ts';
import { scanTool } from './scan-tool.ts';
import type { Tool } from './tool.ts';
import { checkVersion, checkVersions, latestVersion, showComponent } from './version-tools.ts';

/** In the order of the list for clients. */
export const tools: readonly Tool[] = [
  listComponents,
  findReleasesTool,
  latestVersion,
  checkVersion,
  checkVersions,
  showComponent,
  comingChangesTool,
  changesSinceTool,
  scanTool,
  runsTool,
];
