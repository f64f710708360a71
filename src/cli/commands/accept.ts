import { GateId, type Decision, type Held } from '../../core/schemas/held.ts';
import { didYouMean } from '../../core/nearest.ts';
import { readHeld } from '../../io/files/held.ts';
import { judgeChanges } from '../../record/gate.ts';
import { saveDecisions } from '../../record/decisions.ts';
import { authorOf } from '../author.ts';
import { requireValue, shared, UsageError } from '../command.ts';
import type { Command, Invocation } from '../command.ts';

export const command: Command = {
  arguments: { required: ['id'], isOpen: true },
  options: shared('root', 'as-of'),
  details: [
    'Lets exactly the changes with these ids through; "plan", "daily" and data/held.json name the ids. A change with other',
    'consequences gets another id and is held again. Also accepts the id of a refused publication.',
    'Writes data/decisions.ndjson. Commit it; the next "daily" uses the decision.',
  ],
  examples: [['accept 0f1e2d3c4b', 'one change that is held']],
  run,
};

async function run(invocation: Invocation): Promise<number> {
  const { root, report, day, arguments: given } = invocation;
  const ids = [...new Set(given)];
  for (const id of ids) {
    if (!GateId.safeParse(id).success) {
      throw new UsageError(`${id}: expected an id of 10 hexadecimal digits`);
    }
  }
  const held = [
    ...requireValue(readHeld(root)).held,
    ...(judgeChanges(invocation).gated?.held ?? []),
  ];
  const by = authorOf(invocation);
  const decisions = ids.map((id) => decisionOn(id, held, by));
  await saveDecisions(root, decisions);
  for (const { id, cause, reason } of decisions) {
    const near = didYouMean(
      id,
      held.map((one) => one.id),
    );
    report.print(
      cause === undefined
        ? `${id}: no held change has this id here, so it applies to a refused publication.${near}`
        : `${id}: accepted. ${cause}: ${reason}`,
    );
  }
  report.print('Commit data/decisions.ndjson. The next "daily" uses it.');
  report.document({ verb: 'accept', asOf: day, decisions });
  return 0;
}

function decisionOn(id: string, held: readonly Held[], by: string): Decision {
  const found = held.find((one) => one.id === id);
  const at = new Date().toISOString();
  if (!found) {
    return { id, at, by };
  }
  const { cause, reason, components } = found;
  return { id, at, by, cause, reason, components };
}
