import type { Day } from '../../core/model/dates.ts';
import {
  fileProblem,
  InputError,
  isError,
  warning,
  type Finding,
} from '../../core/schemas/finding.ts';
import type { Decision } from '../../core/schemas/recorded/journal.ts';
import { listed } from '../../core/text/wording.ts';
import { readDecisions, readJournal, readLastWaits } from '../../io/files/journal-files.ts';
import type { Root } from '../../io/files/root.ts';
import { judgeEdits } from '../../record/gate/judge-edits.ts';
import { readLastRun } from '../../record/gate/last-run.ts';
import type { WaitingChange } from '../../record/gate/rules/decision-id.ts';

interface PendingDecisions {
  /** What the change would let wait, beside what waits already. */
  readonly waiting: readonly WaitingChange[];
  /** Why each id may be accepted in this change. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Why it is unknown what would wait. */
  readonly findings: readonly Finding[];
}

/** What would wait after the change, by the gate. */
export function wouldWait(
  before: Root,
  after: Root,
  { env, day }: { env: NodeJS.ProcessEnv; day: Day },
): PendingDecisions {
  const reasons = new Map(listReasons(before));

  try {
    const edits = judgeEdits({ root: after, env, day });
    const waiting = edits.waiting.filter(({ id }) => !reasons.has(id));
    for (const { id, causes, reason } of waiting) {
      reasons.set(id, `${listed(causes, 3)}: ${reason}`);
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

/**
 * The effects of lines that people added, in sentences, and an error for each that accepts an id that does not wait. `waiting`:
 * why each id may be accepted.
 */
export function describeNewDecisions(
  before: Root,
  after: Root,
  { env, waiting }: { env: NodeJS.ProcessEnv; waiting: ReadonlyMap<string, string> },
): { texts: string[]; findings: Finding[] } {
  const { added, findings } = listNewDecisions(before, after);

  const texts = added.map((decision) => {
    const isStart = decision.id === 'history';
    const isOpen = isStart ? isNeeded(decision, before, env) : waiting.has(decision.id);
    if (!isOpen) {
      const message = `accepts ${decision.id}, but no change with this id waits. Remove the line`;
      findings.push(fileProblem('data/decisions.ndjson', message));
    }

    return isStart
      ? describeStart(decision)
      : `accepts ${decision.id}: ${waiting.get(decision.id) ?? 'nothing that waits now'} (${decision.by})`;
  });

  return { texts, findings };
}

/** The lines of decisions that `after` adds, and the problems of its file. */
export function listNewDecisions(
  before: Root,
  after: Root,
): { added: Decision[]; findings: Finding[] } {
  const formerCount = readDecisions(before).value?.values.length ?? 0;
  const { value, findings } = readDecisions(after);
  return { added: value?.values.slice(formerCount) ?? [], findings: findings.filter(isError) };
}

/** Why each id waits. */
function listReasons(root: Root): ReadonlyMap<string, string> {
  return new Map(
    readLastWaits(root).map(
      ({ id, causes, reason }) => [id, `${listed(causes, 3)}: ${reason}`] as const,
    ),
  );
}

/** The most events that a site may have beyond the journals of the base: greater ids would be used up for nothing. */
const mostLost = 1000;

/** Lost events are known to the live site alone, so a person has to look at them. */
function isNeeded({ published = {} }: Decision, before: Root, env: NodeJS.ProcessEnv): boolean {
  const lost = Object.entries(published);
  if (lost.length === 0) {
    return readLastRun(before, env).findings.some(isError);
  }

  return lost.every(([component, id]) => {
    const recorded = readJournal(before, component).value?.values ?? [];
    return id <= (recorded.at(-1)?.id ?? 0) + mostLost;
  });
}

function describeStart({ commit, by, published = {} }: Decision): string {
  const ids = Object.entries(published).map(([component, id]) => `${component}/${id}`);
  const lost = ids.length === 0 ? '' : `; gives up lost events up to ${ids.join(', ')}`;
  return `accepts history: starts from ${commit?.slice(0, 10)}${lost} (${by})`;
}
