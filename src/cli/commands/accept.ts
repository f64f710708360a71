import { DecisionId } from '../../core/schemas/held.ts';
import { didYouMean } from '../../core/nearest.ts';
import { listed } from '../../core/text.ts';
import { valueOf } from '../../io/files/documents.ts';
import { readHeld } from '../../io/files/held.ts';
import { saveDecisions } from '../../record/decisions.ts';
import { judgeChanges } from '../../record/gate.ts';
import { readRefusals } from '../../deliver/publish/refusals.ts';
import { rejectedLists } from '../../record/rejected-lists.ts';
import { authorOf } from '../author.ts';
import { inputError, shared, UsageError } from '../command.ts';
import type { Command, Invocation } from '../command.ts';
import { reportedAlerts } from './attention.ts';

export const command: Command = {
  arguments: { required: ['id'], isOpen: true },
  options: shared('root', 'as-of'),
  details: [
    'Lets exactly the consequences with these ids through; "plan", "daily" and data/held.json name the ids. Other consequences',
    'have another id and wait again. An id that nothing has is rejected.',
    'Writes data/decisions.ndjson. Commit it; the next "daily" uses the decision.',
  ],
  examples: [['accept svc-0f1e2d3c4b', 'a component that waits']],
  run,
};

async function run(invocation: Invocation): Promise<number> {
  const { root, report, day, arguments: wanted } = invocation;
  const ids = [...new Set(wanted)];
  const reasons = listAcceptable(invocation);
  for (const id of ids) {
    rejectUnknown(id, reasons);
  }

  const at = new Date().toISOString();
  const by = authorOf(invocation);
  const decisions = ids.map((id) => ({ id, at, by }));
  await saveDecisions(root, decisions);
  report.print(...ids.map((id) => `${id}: accepted. ${reasons.get(id)}`));
  report.print('Commit data/decisions.ndjson. The next "daily" uses it.');
  report.document({ verb: 'accept', asOf: day, decisions });
  return 0;
}

/** The ids that something has now, with what each would let through. */
export function listAcceptable(invocation: Invocation): Map<string, string> {
  const { root } = invocation;
  const reasons = new Map<string, string>();
  for (const { accept = [], cause } of reportedAlerts(invocation)) {
    for (const id of accept) {
      reasons.set(id, cause);
    }
  }
  for (const { id, reason } of readRefusals(root)) {
    reasons.set(id, reason);
  }
  const held = [...valueOf(readHeld(root)).held, ...judgeChanges(invocation).held];
  for (const { id, kind, causes, reason } of [...rejectedLists(root), ...held]) {
    if (kind !== 'files') {
      reasons.set(id, `${listed(causes, 3)}: ${reason}`);
    }
  }
  return reasons;
}

function rejectUnknown(id: string, reasons: ReadonlyMap<string, string>): void {
  if (!DecisionId.safeParse(id).success) {
    throw new UsageError(`${id}: expected the id of something that waits, such as svc-0f1e2d3c4b`);
  }
  if (!reasons.has(id)) {
    const ids = [...reasons.keys()];
    const waiting = ids.length === 0 ? 'Nothing waits' : `These wait: ${listed(ids, 20)}`;
    throw inputError(
      id,
      `nothing has this id.${didYouMean(id, ids)} ${waiting}. Nothing was written`,
    );
  }
}
