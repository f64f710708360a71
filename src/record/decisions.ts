import { toDay } from '../core/day.ts';
import { UsageError } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import type { Decision, Hold, Run } from '../core/schema/recorded.ts';
import type { DataFiles } from './data-files.ts';

/**
 * Accepts the holds and publications with these ids. Throws a `UsageError` if an id belongs to neither. Returns:
 * - `added`: the new decisions. A hold that is already accepted gets none.
 * - `former`: the earlier decisions about holds and publications that are already accepted.
 */
export function accept(
  data: DataFiles,
  ids: readonly string[],
  { by, reason }: Pick<Decision, 'by' | 'reason'>,
): { added: Decision[]; former: Decision[] } {
  const held = data.readHeld();
  const runs = data.readRuns();
  const decisions = data.readDecisions();
  const at = new Date().toISOString();
  const added: Decision[] = [];
  const former: Decision[] = [];
  for (const id of ids) {
    const hold = held.find((each) => each.id === id);
    const last = decisions.findLast((each) => each.id === id);
    if (!hold && !isPublicationId(id)) {
      const waiting = held.map((each) => each.id).join(', ') || 'none';
      throw new UsageError(`${describeFate(id, last, runs)}. Waiting now: ${waiting}`);
    }

    const isPending = hold !== undefined && isAccepted(hold, listUnused(decisions, runs));
    if (last && (isPending || !hold)) {
      former.push(last);
    }
    // A publication gets a new decision even if it already has an earlier decision. Only the live site shows whether the earlier decision
    // is still valid, and this function does not read the live site.
    if (!isPending) {
      const { component, kind, versions } = hold ?? {};
      added.push({ id, at, by, component, kind, versions, reason });
    }
  }

  added.forEach(data.appendDecision);
  return { added, former };
}

/** Says why no hold has the given id: the hold was accepted, or it ended, or it never existed. */
function describeFate(id: string, former: Decision | undefined, runs: readonly Run[]): string {
  const lastWait = runs.findLast(({ waits }) => waits?.some((each) => each.id === id));
  if (former && (!lastWait || former.at > lastWait.at)) {
    return `"${id}" is no longer held: ${describeAcceptance(former)}`;
  }
  return lastWait
    ? `"${id}" is no longer held: its source took the change back, or the change took effect by itself`
    : `There is no hold "${id}"`;
}

/** Says who made a decision and when: `Jane accepted it on 2026-03-04`. */
export function describeAcceptance({ by, at }: Decision): string {
  return `${by} accepted it on ${toDay(at)}`;
}

/** Tells whether one of these decisions, which no run has used yet, accepts all versions of a hold. */
function isAccepted({ id, since, versions }: Hold, unused: readonly Decision[]): boolean {
  return unused.some((decision) => {
    const isOfHold = decision.id === id && decision.at >= since;
    return isOfHold && versions.every((version) => decision.versions?.includes(version));
  });
}

/** Lists the decisions that no run has used yet. */
export function listUnused(decisions: readonly Decision[], runs: readonly Run[]): Decision[] {
  return decisions.filter(
    ({ id, at }) => !runs.some((run) => run.at >= at && run.accepted?.includes(id)),
  );
}

/** Creates the id of a publication. Its last digits are a checksum, so that a mistyped id is noticed. */
export function createPublicationId(digits: string): string {
  return `publication-${digits}${sha256(digits).slice(0, 3)}`;
}

function isPublicationId(id: string): boolean {
  const [, digits] = /^publication-(\w+)\w{3}$/.exec(id) ?? [];
  return digits !== undefined && id === createPublicationId(digits);
}
