import { hash } from 'node:crypto';
import type { Wait } from '../../../core/schemas/recorded/journal.ts';

/** Something that waits, with each loss in words. */
export interface WaitingChange extends Wait {
  items: string[];
}

/** The id of a decision about a component. Other consequences have another id. */
export function createDecisionId(component: string, consequences: unknown): string {
  const digest = hash('sha256', JSON.stringify([component, consequences]));
  return `${component}-${digest.slice(0, 10)}`;
}

/** The component that a decision is about: the digest after its name has no hyphen. */
export function findDecidedComponent(decisionId: string): string {
  return decisionId.slice(0, decisionId.lastIndexOf('-'));
}

/** Keeps the id, the day and the items of a wait that named all these losses before. With a new loss, keeps only the day. */
export function continueId(wait: WaitingChange, waits: readonly Wait[]): WaitingChange {
  const alike = waits.filter((former) => isAlike(former, wait));
  for (const { id, since, items = [] } of alike) {
    const decided = new Set(items);
    if (wait.items.every((item) => decided.has(item))) {
      return { ...wait, id, since, items };
    }
  }
  const [former] = alike;
  return former ? { ...wait, since: former.since } : wait;
}

/** The wait, which may keep an earlier id, and the open decision of a person that accepts it. */
export function continueWait(
  wait: WaitingChange,
  waits: readonly Wait[],
  accepted: ReadonlySet<string>,
): { waiting: WaitingChange; decision: string | undefined } {
  const waiting = continueId(wait, waits);
  const decision = [wait.id, waiting.id].find((id) => accepted.has(id));
  return { waiting, decision };
}

/** Whether two entries wait for the same reason, whatever the losses. */
export function isAlike(a: Wait, b: Wait): boolean {
  if (a.id === b.id) {
    return true;
  }
  if (a.kind !== b.kind || a.component !== b.component) {
    return false;
  }
  if (a.kind === 'change') {
    return true;
  }

  const isShared = b.versions?.some((version) => a.versions?.includes(version)) === true;
  return a.causes[0] === b.causes[0] && (a.kind === 'list' || isShared);
}
