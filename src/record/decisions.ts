import type { Decision } from '../core/schemas/held.ts';
import { valueOf } from '../io/files/documents.ts';
import { decisionsPath, readDecisions } from '../io/files/held.ts';
import { lock } from '../io/files/lock.ts';
import type { Root } from '../io/files/root.ts';
import { saveLines } from './record-journal.ts';

/** Appends decisions under the lock for data. */
export async function saveDecisions(root: Root, decisions: readonly Decision[]): Promise<void> {
  const release = await lock(root, 'data');
  try {
    saveLines(decisionsPath(root), valueOf(readDecisions(root)), decisions);
  } finally {
    release();
  }
}

/** Tests ids for an acceptance that no run has used yet. */
export function openDecisions(root: Root): (id: string) => boolean {
  const decisions = valueOf(readDecisions(root)).values.filter(({ until }) => until === undefined);
  return (id) => decisions.findLast((one) => one.id === id)?.by !== undefined;
}
