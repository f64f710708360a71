import type { Permission } from '../../core/schemas/permissions.ts';

export const tokenPath = '/api/auth/token';

/** The addresses of endoflife.date also work with a slash at the end, as in its documentation. */
export function withoutSlash(pathname: string): string {
  return pathname.replace(/^(\/endoflife\/api\/.*[^/])\/$/, '$1');
}

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
