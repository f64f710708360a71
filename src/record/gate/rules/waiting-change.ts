import { hash } from 'node:crypto';
import type { Wait } from '../../../core/schemas/recorded/waits.ts';

/** A change that waits for a person, with each loss in words. */
export interface WaitingChange extends Wait {
  items: string[];
}

/** The id of a decision that accepts these consequences for a component, and no others. */
export function createDecisionId(component: string, consequences: unknown): string {
  const digest = hash('sha256', JSON.stringify([component, consequences]));
  return `${component}-${digest.slice(0, 10)}`;
}

/** The component that a decision is about: the digest after its name has no hyphen. */
export function findDecidedComponent(decisionId: string): string {
  return decisionId.slice(0, decisionId.lastIndexOf('-'));
}

/** Continues an earlier wait: from its first day, and under its id if no loss is new. */
export function continueEarlier(wait: WaitingChange, waits: readonly Wait[]): WaitingChange {
  const alike = waits.filter((former) => isAlike(former, wait));
  for (const { id, since, items = [] } of alike) {
    const namedBefore = new Set(items);
    if (wait.items.every((item) => namedBefore.has(item))) {
      // A person who accepted the earlier losses accepted these.
      return { ...wait, id, since, items };
    }
  }

  // A new loss needs a decision of its own, but has waited since the first.
  const [former] = alike;
  return former ? { ...wait, since: former.since } : wait;
}

/** Continues an earlier wait, and finds the open decision of a person that accepts it. */
export function continueWait(
  newWait: WaitingChange,
  waits: readonly Wait[],
  accepted: ReadonlySet<string>,
): { wait: WaitingChange; decision: string | undefined } {
  const wait = continueEarlier(newWait, waits);
  const decision = [newWait.id, wait.id].find((id) => accepted.has(id));
  return { wait, decision };
}

/** Whether two waits have the same cause. Their losses may differ. */
export function isAlike(a: Wait, b: Wait): boolean {
  if (a.id === b.id) {
    return true;
  }
  if (a.kind !== b.kind || a.component !== b.component) {
    return false;
  }

  // A list or some versions wait because of one source, which is their only cause.
  const isOfOneSource = a.causes[0] === b.causes[0];
  switch (a.kind) {
    case 'change':
      return true;
    case 'files':
      // Their id names the files.
      return false;
    case 'list':
      return isOfOneSource;
    default:
      return isOfOneSource && b.versions?.some((version) => a.versions?.includes(version)) === true;
  }
}
