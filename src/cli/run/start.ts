import type { Command } from 'commander';
import { build } from '../build.ts';
import type { Context } from '../context.ts';
import { gather } from '../day.ts';

export function define(command: Command, context: Context): void {
  command
    .addHelpText('after', '\nEven without a network, the site is complete.')
    .action(async () => {
      const { day, report } = context;
      const planned = await gather(context, 'start');
      const built = build(context);
      report.print('To look at it: npx release-index preview');
      report.document({ verb: 'start', asOf: day, troubles: planned.run.troubles ?? [], built });
    });
}
