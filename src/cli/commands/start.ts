import { InputError } from '../../core/schemas/finding.ts';
import { shared, type Command, type Invocation } from '../command.ts';
import { buildDocument, runBuild } from './build.ts';
import { gatherDocument, runGather, strict } from './gather.ts';

const optionTable = { strict, ...shared('root', 'out', 'as-of', 'base-url') };
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'The part of a daily run before it publishes. Even without a network, the site is complete.',
  ],
  examples: [['start', 'all components']],
  run,
};

/** Builds even if gathering failed in part, which the exit status shows. */
async function run(invocation: Invocation<Options>): Promise<number> {
  const { report, signal } = invocation;
  const gathered = await runGather(invocation);
  const gather = gatherDocument(gathered);

  try {
    const built = signal.aborted ? undefined : runBuild(invocation);
    if (built) {
      report.print('Now: npx release-index preview');
    }

    report.document({ verb: 'start', gather, build: built && buildDocument(invocation, built) });

    return gathered.status;
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }

    report.finding(...error.findings);
    report.document({ verb: 'start', gather, findings: error.findings });

    return 1;
  }
}
