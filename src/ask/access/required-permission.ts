import type { Permission } from '../../core/schemas/permissions.ts';

export const tokenPath = '/api/auth/token';

/** The permission that an operation needs. */
export function permissionFor(method: string, pathname: string): Permission {
  if (pathname === '/mcp') {
    return 'mcp';
  }
  if (/^\/(?:build-)?export\//.test(pathname)) {
    return 'export';
  }
  return method === 'POST' ? 'scan' : 'read';
}
