import * as z from 'zod';
import { documented } from '../keys.ts';
import { createListSchema } from '../scalars.ts';

/** Every credential has it: the index has no access control by project. */
const commonPermission = 'accessDataWithoutAssociatedProject';

/** The permissions of a private index: each operation needs one. */
export const permissions = ['read', 'export', 'mcp', 'scan', commonPermission] as const;
export type Permission = (typeof permissions)[number];

/** The limits of a user, an access key or a token. */
export const limitFields = {
  permissions: documented(
    createListSchema(z.enum(permissions)),
    `read: files, pages and questions. export: streams. mcp: agents. scan: scans. All of them where absent. ${commonPermission}: everybody has it.`,
    ['read', 'scan'],
  ),
};

/** The permissions that all limits have in common, with the one that every credential has. Limits without a list allow all. */
export function intersectPermissions(
  ...limits: readonly { permissions?: readonly Permission[] | undefined }[]
): Permission[] {
  return permissions.filter(
    (permission) =>
      permission === commonPermission ||
      limits.every(
        ({ permissions: allowed }) => allowed === undefined || allowed.includes(permission),
      ),
  );
}
