import type { Command } from 'commander';
import { formatFinding } from '../answers.ts';
import type { Context } from '../context.ts';
import { gather } from '../sources.ts';

export function define(command: Command, context: Context): void {
  command.argument('[component...]', 'only these').action(async (names: string[]) => {
    const { report, day } = context;
    const { run, held, findings } = await gather(context, names);
    const { asked, troubles = [] } = run;
    report.document({ asOf: day, asked, troubles, held, notes: findings.map(formatFinding) });
  });
}
