import type { Command } from 'commander';
import { formatCount } from '../../core/text.ts';
import { saveGathered } from '../../record/day.ts';
import { askSources, listProblems } from '../day.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command
    .argument('[component...]', 'only these')
    .addHelpText('after', '\nA source that fails costs nothing that is recorded.')
    .action(async (names: string[]) => {
      const { report, day } = context;
      const { data, planned } = await askSources(context, 'gather', names);
      saveGathered(data, planned);
      const { run, held, bugs } = planned;
      report.problem(
        ...listProblems(planned).map((problem) =>
          bugs.length > 0 ? problem : { ...problem, level: problem.level ?? ('warning' as const) },
        ),
      );
      report.print(
        `${formatCount(run.asked, 'source')} asked, ${(run.troubles ?? []).length} failed, ${held.length} held.`,
      );
      report.document({
        verb: 'gather',
        asOf: day,
        asked: run.asked,
        troubles: run.troubles ?? [],
        held,
      });
      context.status = bugs.length > 0 ? 1 : 0;
    });
}
