import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { gather } from '../sources.ts';

export function define(command: Command, context: Context): void {
  command
    .argument('[component...]', 'only these')
    .action((names: string[]) => gather(context, names));
}
