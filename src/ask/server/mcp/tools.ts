import { checkVersionsTool } from './check-versions-tool.ts';
import { showComponentTool } from './component-tool.ts';
import { changesSinceTool, listRunsTool, findReleasesTool } from './index-tools.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which clients see them. */
export const tools: readonly Tool[] = [
  checkVersionsTool,
  findReleasesTool,
  showComponentTool,
  changesSinceTool,
  listRunsTool,
];
