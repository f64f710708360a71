import { InputError, type Finding } from '../../core/schemas/finding.ts';
import { build, describeBuild } from '../../run/build-step.ts';
import { gather, describeGathering } from '../../run/gather-step.ts';
import { shared, type Command, type Invocation } from '../command.ts';
import { findGatherStatus, strict } from './gather.ts';

const optionTable = { strict, ...shared('root', 'out', 'as-of', 'base-url') };

export const command: Command<typeof optionTable> = {
  options: optionTable,
  details: [
    'Gathers releases, then builds the site. Even without a network, the site is complete.',
  ],
  examples: [['start', 'all components']],
  checksRepository: true,
  /** Builds even if sources failed. The exit status is 1 if the site could not be built, otherwise that of gathering. */
  async run(invocation) {
    const { day, report, signal } = invocation;
    const gathered = await gather(invocation);
    const result = signal.aborted ? {} : await tryBuild(invocation);
    report.document({
      verb: 'start',
      asOf: day,
      gather: describeGathering(gathered),
      ...result,
    });
    return result.findings ? 1 : findGatherStatus(gathered, invocation);
  },
};

/** The report of the build, or the findings that prevent it. */
async function tryBuild(
  invocation: Invocation<typeof optionTable>,
): Promise<{ build?: object; findings?: readonly Finding[] }> {
  const { report } = invocation;
  try {
    const built = await build(invocation);
    report.print('Now: npx release-index preview');
    return { build: describeBuild(invocation, built) };
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }

    report.finding(...error.findings);
    return { findings: error.findings };
  }
}
