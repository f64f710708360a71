import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { gather } from '../sources.ts';
import { build } from './build.ts';

export function define(command: Command, context: Context): void {
  command.action(async () => {
    const { report } = context;
    await gather(context);
    report.document({ built: build(context) });
    report.print('Next: npx release-index preview');
  });
}
