import type { Day } from '../../core/model/dates.ts';
import type { Decision } from '../../core/schemas/recorded/held.ts';
import { valueOf } from '../../io/files/read-documents.ts';
import { decisionsPath, readDecisions } from '../../io/files/held-file.ts';
import { lock } from '../../io/files/lock.ts';
import type { Root } from '../../io/files/root.ts';
import type { UsedDecision } from './last-good.ts';
import { saveLines } from '../journal/record-journal.ts';

/** Appends decisions under the lock for data. */
export async function saveDecisions(root: Root, decisions: readonly Decision[]): Promise<void> {
  const release = await lock(root, 'data');
  try {
    saveLines(decisionsPath(root), valueOf(readDecisions(root)), decisions);
  } finally {
    release();
  }
}

/** The ids of decisions that no run has used: each counts once. */
export function openDecisions(
  decisions: readonly Decision[],
  used: readonly UsedDecision[],
): Set<string> {
  const left = decisions.map(({ id }) => id);

  for (const { id } of used) {
    const place = left.indexOf(id);
    if (place >= 0) {
      left.splice(place, 1);
    }
  }

  return new Set(left);
}

/** The day on which a run last used a decision about a component; empty if none has. */
export function lastAcceptedOn(used: readonly UsedDecision[], component: string): Day {
  const last = used.findLast(({ id }) => id.slice(0, id.lastIndexOf('-')) === component);
  return last?.on ?? '';
}
