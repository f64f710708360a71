import { hash } from 'node:crypto';
import { findEarliestDay } from '../../../core/model/dates.ts';
import type { Wait } from '../../../core/schemas/recorded/waits.ts';
import { formatList } from '../../../core/text/wording.ts';

/** A change that waits for a person, with each loss in words. */
export interface WaitingChange extends Wait {
  items: string[];
}

/** The id of a decision that accepts these consequences, and no others. `subject`: a component, or a stop of the whole index. */
export function createDecisionId(subject: string, consequences: unknown): string {
  const digest = hash('sha256', JSON.stringify([subject, consequences]));
  return `${subject}-${digest.slice(0, 10)}`;
}

/** The subject of a decision: the digest after its name has no hyphen. Undefined for the decision `history`. */
export function findDecidedComponent(decisionId: string): string | undefined {
  const end = decisionId.lastIndexOf('-');
  return end < 0 ? undefined : decisionId.slice(0, end);
}

/** The command that decides for these ids. */
export function formatAcceptCommand(...ids: readonly string[]): string {
  return `npx release-index accept ${ids.join(' ')}`;
}

/** The command that restores files from a commit. */
export function formatRestoreCommand(commit: string, files: readonly string[]): string {
  return `git restore --source=${commit} -- ${files.join(' ')}`;
}

/** By the id of each wait that a decision can end, what the decision lets through. Damaged files are mended instead. */
export function describeAcceptable(waits: readonly Wait[]): Map<string, string> {
  const reasons = new Map<string, string>();
  for (const { id, kind, causes, reason } of waits) {
    if (kind !== 'files') {
      reasons.set(id, `${formatList(causes, 3)}: ${reason}`);
    }
  }

  return reasons;
}

/** Whether a change waits because of its sources, and not because of edited or damaged files. */
export function isOfSources(wait: Wait): boolean {
  return wait.kind !== 'files' && !hasGoodCommit(wait);
}

/** Whether a commit has good files of the component, which are used while the change waits. */
export function hasGoodCommit({ commit, dataCommit }: Wait): boolean {
  return (commit ?? dataCommit) !== undefined;
}

/**
 * Continues an earlier wait: from its first day and, if no loss is new, under its id and with its items. Some of these losses may
 * no longer threaten.
 */
export function inheritIdAndDay(wait: WaitingChange, waits: readonly Wait[]): WaitingChange {
  const earlierWaits = waits.filter((earlier) => isAlike(earlier, wait));
  const since = findEarliestDay(earlierWaits.map((earlier) => earlier.since)) ?? wait.since;

  for (const { id, items = [] } of earlierWaits) {
    const namedBefore = new Set(items);
    if (wait.items.every((item) => namedBefore.has(item))) {
      // A person who accepted the earlier losses accepted these.
      return { ...wait, id, since, items };
    }
  }

  // A new loss needs a decision of its own.
  return { ...wait, since };
}

/** The verdict on a loss: it waits, unless a person has accepted it. */
export interface WaitOrDecision {
  /** As it goes on after an earlier wait. */
  wait?: WaitingChange;
  /** The id of the decision that accepts it; else empty. */
  used: readonly string[];
}

/** Continues an earlier wait, unless a person has accepted it by either id. */
export function continueWait(
  newWait: WaitingChange,
  waits: readonly Wait[],
  accepted: ReadonlySet<string>,
): WaitOrDecision {
  const wait = inheritIdAndDay(newWait, waits);
  const decision = [newWait.id, wait.id].find((id) => accepted.has(id));
  return decision === undefined ? { wait, used: [] } : { used: [decision] };
}

/** Whether one wait continues the other. Their losses may differ. */
export function isAlike(a: Wait, b: Wait): boolean {
  if (a.id === b.id) {
    return true;
  }
  if (a.kind !== b.kind || a.component !== b.component) {
    return false;
  }

  switch (a.kind) {
    case 'change':
      // A component waits as a whole.
      return true;
    case 'files':
      // Their id names the files.
      return false;
    case 'list':
      // Each source has a list of its own, and is its only cause.
      return a.causes[0] === b.causes[0];
    default:
      return b.versions?.some((version) => a.versions?.includes(version)) === true;
  }
}
