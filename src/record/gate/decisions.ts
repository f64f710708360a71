import { join } from 'node:path';
import { toLaterInstant, type Day } from '../../core/model/dates.ts';
import type { Run } from '../../core/schemas/recorded/runs.ts';
import type { Decision } from '../../core/schemas/recorded/waits.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import { listRuns, readDecisions } from '../../io/files/recorded-files.ts';
import { decisionsFile, type Root } from '../../io/files/root.ts';
import { lock } from '../../io/files/lock.ts';
import { appendLines } from '../../io/files/save.ts';
import { findDecidedComponent } from './rules/waiting-change.ts';

/** A decision of a person that a run used: the day of the run, and the instant of its end. */
export type UsedDecision = ReturnType<typeof listUsedDecisions>[number];

/** Appends decisions under the lock for data. */
export async function saveDecisions(root: Root, decisions: readonly Decision[]): Promise<void> {
  using _lock = await lock(root, 'data');
  appendLines(join(root.dir, decisionsFile), unwrapResult(readDecisions(root)), decisions);
}

/** The instant of a decision that is made now: after every use of a decision, so it is open. */
export function computeDecisionInstant(root: Root): string {
  const uses = readUsedDecisions(root).map(({ at }) => at);
  return toLaterInstant(new Date().toISOString(), uses.sort().at(-1));
}

/** The decisions that the recorded runs have used, oldest first. */
function readUsedDecisions(root: Root): UsedDecision[] {
  return listUsedDecisions(listRuns(root).runs);
}

/** The decisions that these runs have used. */
export function listUsedDecisions(runs: readonly Run[]) {
  return runs.flatMap(({ asOf: on, finishedAt: at, accepted = [] }) =>
    accepted.map((id) => ({ id, on, at })),
  );
}

/**
 * The ids of decisions that no run has used. A decision can be used once, and made again after that: then it was made more often than
 * used, and last made after its last use. The number counts because the clock of a person may be ahead of that of the run. The
 * instant counts because a decision that is made in two clones before its use is used as one. Where both happen, it is open again.
 * `used`: the decisions that the runs have used.
 */
export function listOpenDecisions(
  root: Root,
  used: readonly UsedDecision[] = readUsedDecisions(root),
): Set<string> {
  const { values } = unwrapResult(readDecisions(root));
  const usesById = Map.groupBy(used, ({ id }) => id);
  const open = new Set<string>();

  for (const [id, decisions] of Map.groupBy(values, (decision) => decision.id)) {
    const uses = usesById.get(id) ?? [];
    const lastUse = uses.at(-1)?.at;
    const isLater = lastUse === undefined || decisions.some(({ at }) => at > lastUse);
    if (isLater && decisions.length > uses.length) {
      open.add(id);
    }
  }

  return open;
}

/** The last day on which a run used a decision about a component. `names`: its present and its former ones. */
export function findLastAcceptedOn(
  used: readonly UsedDecision[],
  names: readonly string[],
): Day | undefined {
  return used.findLast(({ id }) => names.some((name) => name === findDecidedComponent(id)))?.on;
}
