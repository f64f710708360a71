import type { Permission } from '../../../core/schemas/access/access-keys.ts';

export const tokenPath = '/api/auth/token';

/** The permission that an operation needs. */
export function permissionFor(method: string, pathname: string): Permission {
  if (pathname === '/mcp') {
    return 'mcp';
  }
  if (pathname.startsWith('/build-export/')) {
    return 'export';
  }

  return method === 'POST' ? 'scan' : 'read';
}
