import type { Day } from '../../core/model/dates.ts';
import {
  fileProblem,
  InputError,
  isError,
  warning,
  type Finding,
} from '../../core/schemas/finding.ts';
import type { Decision } from '../../core/schemas/recorded/waits.ts';
import { formatList } from '../../core/text/wording.ts';
import { readDecisions, readJournal, readLastWaits } from '../../io/files/recorded-files.ts';
import type { Root } from '../../io/files/root.ts';
import { judgeEdits } from '../../record/gate/judge-edits.ts';
import { readLastRun } from '../../record/gate/last-run.ts';
import type { WaitingChange } from '../../record/gate/rules/waiting-change.ts';

/** What would wait for a decision because of an edit. */
interface ExpectedWaits {
  /** The changes that wait only after the edit. */
  waiting: readonly WaitingChange[];
  /** By each id that can be accepted with the edit, what this accepts. */
  reasons: ReadonlyMap<string, string>;
  /** Why it is unknown what would wait. */
  findings: readonly Finding[];
}

/** Finds what would wait because of an edit. Changes that waited before can be accepted, too. */
export function findExpectedWaits(
  before: Root,
  after: Root,
  { env, day }: { env: NodeJS.ProcessEnv; day: Day },
): ExpectedWaits {
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
 * The ids and effects of lines that people added, and an error for each that accepts an id that does not wait. `reasons`: by each id
 * that can be accepted, what this accepts.
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
    const isNeeded = id === 'history' ? isHistoryNeeded(decision, before, env) : reasons.has(id);
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
 * Whether the decision "history" is needed. Without lost events, it is if the last run cannot be compared with. Lost events are known
 * only to the live site, so a decision that gives them up is taken as needed if their ids are plausible.
 */
function isHistoryNeeded(
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

/** The effect of a decision. `reason`: the loss that waits, if known. */
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
