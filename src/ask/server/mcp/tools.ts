import { changesSinceTool, listRunsTool, findReleasesTool } from './index-tools.ts';
import type { Tool } from './tool.ts';
import { checkVersions, showComponent } from './version-tools.ts';

/** In the order of the list for clients. */
export const tools: readonly Tool[] = [
  checkVersions,
  findReleasesTool,
  showComponent,
  changesSinceTool,
  listRunsTool,
];
