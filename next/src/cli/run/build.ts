import type { Command } from 'commander';
import { formatCount } from '../../core/text.ts';
import { build } from '../build.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command.addHelpText('after', '\nReads definitions and data, and asks nobody.').action(() => {
    const { out, day, report } = context;
    const built = build(context);
    report.print(
      `${out}: ${formatCount(built.components, 'component')}, ${formatCount(built.files, 'file')} for ${day}.`,
    );
    report.document({ verb: 'build', asOf: day, built });
  });
}
