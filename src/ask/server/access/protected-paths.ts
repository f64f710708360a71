/** The paths of a private index that have rules of their own, and the permission for each path. */
import type { Permission } from '../../../core/schemas/access/permissions.ts';

export const mcpPath = '/mcp';
export const tokenPath = '/api/auth/token';
/** RFC 9728, section 3.1. */
export const metadataPath = '/.well-known/oauth-protected-resource/mcp';

/** Whether a request is for the MCP endpoint. */
export function isForMcp({ url }: Request): boolean {
  return new URL(url).pathname === mcpPath;
}

/** The permission that an operation needs. */
export function findNeededPermission(method: string, pathname: string): Permission {
  if (pathname === mcpPath) {
    return 'mcp';
  }
  if (pathname.startsWith('/build-export/')) {
    return 'export';
  }

  return method === 'POST' ? 'scan' : 'read';
}
