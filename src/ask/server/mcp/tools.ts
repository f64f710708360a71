import { checkVersions } from './check-versions-tool.ts';
import { showComponent } from './component-tool.ts';
import { changesSinceTool, listRunsTool, findReleasesTool } from './index-tools.ts';
import type { Tool } from './tool.ts';

/** In the order of the list for clients. */
export const tools: readonly Tool[] = [
  checkVersions,
  findReleasesTool,
  showComponent,
  changesSinceTool,
  listRunsTool,
];
