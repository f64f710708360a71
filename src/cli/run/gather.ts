import type { Command } from 'commander';
import { formatCount } from '../../core/text.ts';
import { gather } from '../day.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command
    .argument('[component...]', 'only these')
    .addHelpText('after', '\nA source that fails costs nothing that is recorded.')
    .action(async (names: string[]) => {
      const { report, day } = context;
      const { run, held } = await gather(context, 'gather', names);
      const { asked, troubles = [] } = run;
      report.print(
        `${formatCount(asked, 'source')} asked, ${troubles.length} failed, ${held.length} held.`,
      );
      report.document({ verb: 'gather', asOf: day, asked, troubles, held });
    });
}
