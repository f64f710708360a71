import * as z from 'zod';
import { documented } from './documented.ts';
import { ComponentName, listOf } from './scalars.ts';

/** What a credential of a private index may do: each operation asks for one of them. */
export const permissions = ['read', 'export', 'mcp', 'scan', 'accessDataWithoutAssociatedProject'] as const;
export type Permission = (typeof permissions)[number];

/** Whoever is limited to components lacks it, unless it is named. */
const ofRuns: Permission = 'accessDataWithoutAssociatedProject';

/** What limits a user or an access key. */
export const limitFields = {
  permissions: documented(
    listOf(z.enum(permissions)),
    'read: files, pages and questions. export: streams. mcp: agents. scan: scans. All of these where absent. accessDataWithoutAssociatedProject: a credential for some components reads the runs, too, without the lines about others.',
    ['read', 'scan'],
  ),
  components: documented(
    z.array(ComponentName).min(1).max(1000).optional(),
    'The only components that it may see; all of them where absent.',
    ['svc'],
  ),
};

export interface Limits {
  readonly permissions?: readonly Permission[] | undefined;
  readonly components?: readonly string[] | undefined;
}

/** What a credential may do, and see: the components that are in each of the lists, by their name of now or before. */
export interface Scope {
  readonly permissions: readonly Permission[];
  readonly lists: readonly (readonly string[])[];
}

/** What all of the limits leave. */
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
