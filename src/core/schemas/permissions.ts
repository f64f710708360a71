import * as z from 'zod';
import { documented } from './documented.ts';
import { ComponentName, listOf } from './scalars.ts';

/** The permissions of a private index: each operation needs one. */
export const permissions = [
  'read',
  'export',
  'mcp',
  'scan',
  'accessDataWithoutAssociatedProject',
] as const;
export type Permission = (typeof permissions)[number];

/** A credential limited to components has it only if it is named. */
const ofRuns: Permission = 'accessDataWithoutAssociatedProject';

/** The limits of a user or an access key. */
export const limitFields = {
  permissions: documented(
    listOf(z.enum(permissions)),
    'read: files, pages and questions. export: streams. mcp: agents. scan: scans. All of them where absent. accessDataWithoutAssociatedProject: a credential for some components also reads the runs, without the lines about other components.',
    ['read', 'scan'],
  ),
  components: documented(
    z.array(ComponentName).min(1).max(1000).optional(),
    'The components that it may see; all where absent.',
    ['svc'],
  ),
};

export interface Limits {
  readonly permissions?: readonly Permission[] | undefined;
  readonly components?: readonly string[] | undefined;
}

/** The rights of a credential. It may see a component that each list names, by its present or a former name. */
export interface Scope {
  readonly permissions: readonly Permission[];
  readonly lists: readonly (readonly string[])[];
}

/** The intersection of limits. */
export function scopeOf(...limits: readonly Limits[]): Scope {
  return {
    permissions: permissions.filter((one) =>
      limits.every(({ permissions: own, components }) =>
        own ? own.includes(one) : one !== ofRuns || components === undefined,
      ),
    ),
    lists: limits.flatMap(({ components }) => (components ? [components] : [])),
  };
}
