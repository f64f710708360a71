import { warning, type Finding } from '../core/schemas/finding.ts';
import type { HeldChange } from '../core/schemas/recorded/held.ts';
import { listed, sentence } from '../core/text/text.ts';

/** What waits, one finding for each cause: an edited default may hold many components. */
export function describeHeldOnce(held: readonly HeldChange[]): Finding[] {
  const waiting = held.filter(({ kind }) => kind !== 'files');
  const byCause = Map.groupBy(waiting, ({ kind, causes }) => JSON.stringify([kind, causes]));

  return Array.from(byCause.values(), (group) => {
    const [{ causes, reason, command }] = group;
    const components = group.map(({ component }) => component);
    const subject = `${listed(components, 5)} (${listed(causes, 3)})`;
    const commands =
      group.length === 1
        ? command
        : `npx release-index accept ${group.map(({ id }) => id).join(' ')}`;

    return warning(subject, `waits: ${sentence(reason)} If this is right: ${commands}`);
  });
}
