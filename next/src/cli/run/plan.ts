import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { askSources, listAnnouncements, listProblems } from '../day.ts';

export function define(command: Command, context: Context): void {
  command
    .addHelpText(
      'after',
      '\nA day without its writes: what readers would be told, and what would wait.',
    )
    .action(async () => {
      const { day, report } = context;
      const { planned } = await askSources(context, 'plan');
      report.problem(
        ...listProblems(planned).map((problem) => ({
          ...problem,
          level: problem.level ?? ('warning' as const),
        })),
      );
      const announcements = listAnnouncements(planned);
      report.print(...announcements, 'Nothing was changed.');
      report.document({ verb: 'plan', asOf: day, events: announcements, held: planned.held });
    });
}
