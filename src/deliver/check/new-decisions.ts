import type { Day } from '../../core/model/dates.ts';
import {
  fileProblem,
  InputError,
  isError,
  warning,
  type Finding,
} from '../../core/schemas/finding.ts';
import type { Decision } from '../../core/schemas/recorded/journal.ts';
import { formatList } from '../../core/text/wording.ts';
import { readDecisions } from '../../io/files/decision-files.ts';
import { readJournal } from '../../io/files/journal-files.ts';
import { readLastWaits } from '../../io/files/run-files.ts';
import type { Root } from '../../io/files/root.ts';
import { judgeEdits } from '../../record/gate/judge-edits.ts';
import { readLastRun } from '../../record/gate/last-run.ts';
import type { WaitingChange } from '../../record/gate/rules/decision-id.ts';

interface PendingDecisions {
  /** The changes that wait only after the edit. */
  waiting: readonly WaitingChange[];
  /** Why each id may be accepted in this change. */
  reasons: ReadonlyMap<string, string>;
  /** Why it is unknown what would wait. */
  findings: readonly Finding[];
}

/** The changes that the gate holds after the edit. */
export function findPending(
  before: Root,
  after: Root,
  { env, day }: { env: NodeJS.ProcessEnv; day: Day },
): PendingDecisions {
  const reasons = new Map(readLastWaits(before).map((wait) => [wait.id, describeWait(wait)]));

  try {
    const edits = judgeEdits({ root: after, env, day });
    const waiting = edits.waiting.filter(({ id }) => !reasons.has(id));
    for (const change of waiting) {
      reasons.set(change.id, describeWait(change));
    }
    for (const id of edits.used) {
      reasons.set(id, reasons.get(id) ?? 'a loss by this change');
    }
    return { waiting, reasons, findings: [] };
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }

    const findings = error.findings.map(({ subject, message }) => warning(subject, message));
    return { waiting: [], reasons, findings };
  }
}

function describeWait({ causes, reason }: Pick<WaitingChange, 'causes' | 'reason'>): string {
  return `${formatList(causes, 3)}: ${reason}`;
}

/**
 * The ids and effects of lines that people added, and an error for each that accepts an id that does not wait. `reasons`:
 * why each id may be accepted.
 */
export function describeNewDecisions(
  before: Root,
  after: Root,
  { env, reasons }: { env: NodeJS.ProcessEnv; reasons: ReadonlyMap<string, string> },
): { ids: string[]; texts: string[]; findings: Finding[] } {
  const { value, findings: fileFindings } = readDecisions(after);
  const findings = fileFindings.filter(isError);
  const formerCount = readDecisions(before).value?.values.length ?? 0;
  const added = value?.values.slice(formerCount) ?? [];

  for (const decision of added) {
    const { id } = decision;
    const isNeeded = id === 'history' ? isStartNeeded(decision, before, env) : reasons.has(id);
    if (!isNeeded) {
      const message = `accepts ${id}, but no change with this id waits. Remove the line`;
      findings.push(fileProblem('data/decisions.ndjson', message));
    }
  }

  const texts = added.map((decision) => describeDecision(decision, reasons.get(decision.id)));
  return { ids: added.map(({ id }) => id), texts, findings };
}

/** The most events that a live site can plausibly have beyond the journals of the base. */
const maxLost = 1000;

/**
 * Whether a decision to start a new history is needed: the last run cannot be compared with. A decision that gives up lost events is
 * always possible, as only the live site knows them, but its ids must be plausible.
 */
function isStartNeeded(
  { published = {} }: Decision,
  before: Root,
  env: NodeJS.ProcessEnv,
): boolean {
  const lostIds = Object.entries(published);
  if (lostIds.length === 0) {
    return readLastRun(before, env).findings.some(isError);
  }

  return lostIds.every(([component, id]) => {
    const events = readJournal(before, component).value?.values ?? [];
    return id <= (events.at(-1)?.id ?? 0) + maxLost;
  });
}

/** `reason`: why it may be made. */
function describeDecision(
  { id, by, commit, published = {} }: Decision,
  reason = 'nothing that waits now',
): string {
  if (id !== 'history') {
    return `accepts ${id}: ${reason} (${by})`;
  }

  const lostIds = Object.entries(published).map(([component, number]) => `${component}/${number}`);
  const loss = lostIds.length === 0 ? '' : `; gives up lost events up to ${lostIds.join(', ')}`;
  return `accepts history: starts from ${commit?.slice(0, 10)}${loss} (${by})`;
}
