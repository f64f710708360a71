import type { Definition } from '../model/definition.ts';

export function lineGroupsOf(definition: Definition): 1 | 2 {
  return definition.support?.line ?? 2;
}
