import type { Command } from 'commander';
import { formatCount } from '../../core/text.ts';
import { build } from '../build.ts';
import type { Context } from '../context.ts';
import { gather } from '../day.ts';

export function define(command: Command, context: Context): void {
  command
    .addHelpText('after', '\nEven without a network, the site is complete.')
    .action(async () => {
      const { out, day, report } = context;
      const planned = await gather(context, 'start');
      const built = build(context);
      report.print(
        `${out}: ${formatCount(built.components, 'component')}, ${formatCount(built.files, 'file')} for ${day}.`,
        'To look at it: npx release-index preview',
      );
      report.document({ verb: 'start', asOf: day, troubles: planned.run.troubles ?? [], built });
    });
}
