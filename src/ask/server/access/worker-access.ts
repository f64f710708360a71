import type { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import { AccessKeys, type Permission } from '../../../core/schemas/access/access-keys.ts';

/** The bundler replaces it by the validated configuration as JSON, with all defaults. */
declare const RELEASE_INDEX_ACCESS: string;

/** The secrets of the host that hold access keys. A secret has at most 5 KB: about twenty-five keys. */
export const accessKeySecrets = [
  'RELEASE_INDEX_ACCESS_KEYS',
  'RELEASE_INDEX_ACCESS_KEYS_2',
] as const;

/** The access configuration of the site; null for a public site. */
export function readAccess(): AccessConfig | null {
  return JSON.parse(RELEASE_INDEX_ACCESS) as AccessConfig | null;
}

/** The configured access keys, also expired ones. A secret that is not a list of keys gives none, and is logged without its text. */
export function readKeySecrets(env: object): AccessKeys {
  return accessKeySecrets.flatMap((name) => {
    const { [name]: text = '[]' } = env as Partial<Record<string, string>>;
    try {
      return AccessKeys.parse(JSON.parse(text));
    } catch {
      console.error(`The secret ${name} is not a list of access keys.`);
      return [];
    }
  });
}

export const tokenPath = '/api/auth/token';

/** For each answer of a private index: browsers use only https for a year (RFC 6797). They ignore it over plain http. */
export const strictTransport = 'max-age=31536000';

export const mcpPath = '/mcp';

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
