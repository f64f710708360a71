import type { Command } from 'commander';
import { formatNote } from '../answers.ts';
import type { Context } from '../context.ts';
import { gather } from '../sources.ts';

export function define(command: Command, context: Context): void {
  command.argument('[component...]', 'only these').action(async (names: string[]) => {
    const { report, day } = context;
    const { run, held, notes } = await gather(context, names);
    const { asked, troubles = [] } = run;
    report.document({ asOf: day, asked, troubles, held, notes: notes.map(formatNote) });
  });
}
