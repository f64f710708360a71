import { InputError } from '../../core/schemas/finding.ts';
import { build, buildDocument } from '../../run/build-step.ts';
import { gather, gatherDocument } from '../../run/gather-step.ts';
import { shared, type Command } from '../command.ts';
import { gatherStatus, strict } from './gather.ts';

const optionTable = { strict, ...shared('root', 'out', 'as-of', 'base-url') };

export const command: Command<typeof optionTable> = {
  options: optionTable,
  details: [
    'Gathers releases, then builds the site. Even without a network, the site is complete.',
  ],
  examples: [['start', 'all components']],
  rejectsHiddenFiles: true,
  /** Builds even if gathering failed in part. With --strict, the exit status shows the failure. */
  async run(invocation) {
    const { report, signal } = invocation;
    const gathered = await gather(invocation);
    const gatherReport = gatherDocument(gathered);

    try {
      const built = signal.aborted ? undefined : await build(invocation);
      if (built) {
        report.print('Now: npx release-index preview');
      }

      report.document({
        verb: 'start',
        gather: gatherReport,
        build: built && buildDocument(invocation, built),
      });

      return gatherStatus(gathered, invocation);
    } catch (error) {
      if (!(error instanceof InputError)) {
        throw error;
      }

      report.finding(...error.findings);
      report.document({ verb: 'start', gather: gatherReport, findings: error.findings });
      return 1;
    }
  },
};
