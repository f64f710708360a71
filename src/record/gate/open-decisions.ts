import type { Day } from '../../core/model/dates.ts';
import type { Decision } from '../../core/schemas/recorded/journal.ts';
import { decisionsPath, readDecisions } from '../../io/files/decisions.ts';
import { lock } from '../../io/files/lock.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import type { Root } from '../../io/files/root.ts';
import { saveLines } from '../journal/record-journal.ts';
import type { UsedDecision } from './last-run.ts';

/** Appends decisions under the lock for data. */
export async function saveDecisions(root: Root, decisions: readonly Decision[]): Promise<void> {
  const release = await lock(root, 'data');
  try {
    saveLines(decisionsPath(root), unwrapResult(readDecisions(root)), decisions);
  } finally {
    release();
  }
}

/** The ids of decisions that no run has used: each counts once. */
export function listOpenDecisions(root: Root, used: readonly UsedDecision[]): Set<string> {
  const open = unwrapResult(readDecisions(root)).values.map(({ id }) => id);
  for (const { id } of used) {
    const index = open.indexOf(id);
    if (index >= 0) {
      open.splice(index, 1);
    }
  }
  return new Set(open);
}

/** The day on which a run last used a decision about a component; empty if none has. */
export function findLastAcceptedOn(used: readonly UsedDecision[], component: string): Day {
  const last = used.findLast(({ id }) => id.slice(0, id.lastIndexOf('-')) === component);
  return last?.on ?? '';
}
