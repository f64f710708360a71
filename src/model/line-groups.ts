import type { Definition } from './definition.ts';

export function lineGroupsOf(definition: Definition): 1 | 2 {
  return definition.support?.line ?? 2;
}
