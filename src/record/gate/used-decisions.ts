import { cutDay, type Day } from '../../core/model/dates.ts';
import type { Run } from '../../core/schemas/recorded/runs.ts';
import type { Decision } from '../../core/schemas/recorded/waits.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import { decisionsPath, readDecisions } from '../../io/files/recorded-files.ts';
import type { Root } from '../../io/files/root.ts';
import { lock } from '../../io/files/lock.ts';
import { appendLines } from '../../io/files/save.ts';
import { findDecidedComponent } from './rules/waiting-change.ts';

/** A decision of a person, with the day on which a run used it. */
export interface UsedDecision {
  id: string;
  on: Day;
}

/** Appends decisions under the lock for data. */
export async function saveDecisions(root: Root, decisions: readonly Decision[]): Promise<void> {
  using _lock = await lock(root, 'data');
  appendLines(decisionsPath(root), unwrapResult(readDecisions(root)), decisions);
}

/** The decisions that runs have used, oldest first. */
export function listUsedDecisions(runs: readonly Run[]): UsedDecision[] {
  return runs.flatMap(({ at, accepted = [] }) => accepted.map((id) => ({ id, on: cutDay(at) })));
}

/** The ids of decisions that no run has used. A decision can be used once, and made again after that. */
export function listOpenDecisions(root: Root, used: readonly UsedDecision[]): Set<string> {
  const ids = unwrapResult(readDecisions(root)).values.map(({ id }) => id);
  for (const { id } of used) {
    const index = ids.indexOf(id);
    if (index >= 0) {
      ids.splice(index, 1);
    }
  }

  return new Set(ids);
}

/** The last day on which a run used a decision about a component. */
export function findLastAcceptedOn(
  used: readonly UsedDecision[],
  component: string,
): Day | undefined {
  return used.findLast(({ id }) => findDecidedComponent(id) === component)?.on;
}
