import { fileProblem, warning, type Finding } from '../core/schemas/finding.ts';
import type { HeldChange } from '../core/schemas/recorded/held.ts';
import { listed, sentence } from '../core/text/text.ts';

/** What waits, one finding for each cause: an edited default may hold many components. */
export function describeHeldOnce(held: readonly HeldChange[]): Finding[] {
  const byCause = Map.groupBy(held, ({ kind, causes }) => JSON.stringify([kind, causes]));

  return Array.from(byCause.values(), (group) => {
    const [{ kind, causes, reason, command, commit, dataCommit }] = group;
    const components = group.map(({ component }) => component);

    if (kind === 'files') {
      const isRecorded = (commit ?? dataCommit) !== undefined;
      const state = isRecorded ? 'stays as it was published last' : 'is not published';
      const text = `${sentence(reason)} ${components[0]} ${state} until this is right. ${describeRepair(group[0])}`;

      return fileProblem(listed(causes, 3), text);
    }

    const subject = `${listed(components, 5)} (${listed(causes, 3)})`;
    const commands =
      group.length === 1
        ? command
        : `npx release-index accept ${group.map(({ id }) => id).join(' ')}`;

    return warning(subject, `waits: ${sentence(reason)} If this is right: ${commands}`);
  });
}

/** The remedy for damaged files. */
export function describeRepair({ command, commit, dataCommit }: HeldChange): string {
  return (commit ?? dataCommit) === undefined
    ? `Correct it. All problems: ${command}`
    : `Correct it, or restore it: ${command}`;
}
