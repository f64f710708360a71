import { throwErrors } from '../../core/schemas/finding.ts';
import { didYouMean, formatList } from '../../core/text/wording.ts';
import { definitionFile, listComponents, type Root } from '../../io/files/root.ts';
import { gather, describeGathering, type GatherOutcome } from '../../run/gather-step.ts';
import { flag, shared, throwUsage, type Command, type Invocation } from '../command.ts';
import { findStoppedStatus } from '../exit-status.ts';

/** An option of `gather` and `start`. */
export const strict = flag('exit 1 if any source failed');

const optionTable = {
  strict,
  ...shared('root', 'as-of'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { optional: ['component'], isOpen: true },
  options: optionTable,
  details: [
    'Asks the sources of all or the named components, and merges their answers into data/<component>.json.',
    'Recorded releases are never deleted: releases that upstream no longer lists are marked as withdrawn. The run that publishes',
    'compares the result with the state before, and holds changes that take too much from readers. A failing source does not',
    'affect the others. A source may take five minutes and a run twenty; the next run asks the rest. A stopped run keeps finished',
    'components.',
    'Exits with 0 even if upstreams did not answer; with --strict, with 1.',
    'After the first run of "daily", writes only releases, so a pull request merges with any later day.',
  ],
  examples: [
    ['gather', 'all components'],
    ['gather svc edge-node', 'two of them'],
  ],
  checksRepository: true,
  async run(invocation) {
    const { root, arguments: components, report } = invocation;
    checkNames(root, components);
    const outcome = await gather({ ...invocation, components });
    report.document(describeGathering(outcome));
    return findGatherStatus(outcome, invocation);
  },
};

/** The exit status after gathering. */
export function findGatherStatus(
  { end }: GatherOutcome,
  { options, signal }: Invocation<{ strict: typeof strict }>,
): number {
  if (end === 'stopped') {
    return findStoppedStatus(signal);
  }

  return end === 'failed' || (end === 'incomplete' && options.strict) ? 1 : 0;
}

function checkNames(root: Root, components: readonly string[]): void {
  const { names, findings } = listComponents(root);
  const unknownNames = components.filter((component) => !names.includes(component));

  // A file with such a name may be unusable.
  const files = unknownNames.map(definitionFile);
  throwErrors(findings.filter(({ file = '' }) => files.includes(file)));

  const choices =
    names.length === 0 ? 'There are none.' : `Components are ${formatList(names, 20)}.`;
  throwUsage(
    unknownNames.map((name) => `unknown component "${name}".${didYouMean(name, names)} ${choices}`),
  );
}
