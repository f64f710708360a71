import type { Command } from 'commander';
import { formatFinding } from '../answers.ts';
import type { Context } from '../context.ts';
import { gather } from '../sources.ts';
import { build } from './build.ts';

export function define(command: Command, context: Context): void {
  command.action(async () => {
    const { day, report } = context;
    const { run, held, findings } = await gather(context);
    const built = build(context);
    report.print('Next: npx release-index preview');
    const { troubles = [] } = run;
    report.document({ asOf: day, troubles, held, notes: findings.map(formatFinding), built });
  });
}
