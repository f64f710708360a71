import type { Command } from 'commander';
import { planEdit } from '../../record/day.ts';
import { listEventLines } from '../../record/git.ts';
import type { Context } from '../context.ts';
import { askSources, listProblems } from '../day.ts';

export function define(command: Command, context: Context): void {
  command
    .option('--base <ref>', 'only what the edits since this commit would tell; asks no source')
    .action(async ({ base }: { base?: string }) => {
      const { root, day, report } = context;
      if (base !== undefined) {
        const events = listEventLines(planEdit(root, base, day));
        report.print(...events, `${events.length} changes since ${base}.`);
        report.document({ verb: 'plan', asOf: day, base, events });
        return;
      }

      const { planned } = await askSources(context, 'plan');
      report.problem(...listProblems(planned, 'warning'));
      const events = listEventLines(planned.events);
      report.print(...events, 'Nothing was changed.');
      report.document({ verb: 'plan', asOf: day, events, held: planned.held });
    });
}
