import { z } from 'zod';
import { documented } from '../documented.ts';
import { createListSchema } from '../scalars.ts';

/** Every credential has it: the index has no access control by project. */
const everybodys = 'accessDataWithoutAssociatedProject';

/** The permissions of a private index: each operation needs one. */
export const permissions = ['read', 'export', 'mcp', 'scan', everybodys] as const;
export type Permission = (typeof permissions)[number];

/** The limits of a user, an access key or a token. */
export const limitFields = {
  permissions: documented(
    createListSchema(z.enum(permissions)),
    `read: files, pages and questions. export: streams. mcp: agents. scan: scans. All of them where absent. ${everybodys}: everybody has it.`,
    ['read', 'scan'],
  ),
};

export interface Limits {
  readonly permissions?: readonly Permission[] | undefined;
}

/** The permissions that all limits have in common. */
export function permissionsWithin(...limits: readonly Limits[]): Permission[] {
  return permissions.filter(
    (one) =>
      one === everybodys ||
      limits.every(({ permissions: allowed }) => allowed === undefined || allowed.includes(one)),
  );
}
