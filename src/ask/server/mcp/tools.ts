import { changesSinceTool } from './changes-since-tool.ts';
import { checkVersionsTool } from './check-versions-tool.ts';
import { showComponentTool } from './component-tool.ts';
import { findReleasesTool } from './find-releases-tool.ts';
import { listRunsTool } from './list-runs-tool.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which clients see them. */
export const tools: readonly Tool[] = [
  checkVersionsTool,
  findReleasesTool,
  showComponentTool,
  changesSinceTool,
  listRunsTool,
];
