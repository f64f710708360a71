import { hash } from 'node:crypto';

/** The id of a decision about a component: other consequences have another id. */
export function createDecisionId(component: string, consequences: unknown): string {
  const digest = hash('sha256', JSON.stringify([component, consequences]));
  return `${component}-${digest.slice(0, 10)}`;
}
