import type { Command } from 'commander';
import { build } from '../build.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command.action(() => {
    const built = build(context);
    context.report.document({ asOf: context.day, built });
  });
}
