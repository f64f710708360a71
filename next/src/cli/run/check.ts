import { formatCount } from '../../core/text.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { InputError, type Problem } from '../../core/errors.ts';
import { checkComponents } from '../../publish/check-component.ts';
import { checkSite } from '../../publish/check-site.ts';
import { listNames } from '../../core/read-folder.ts';
import { loadIndex } from '../../site/load-index.ts';
import { program } from '../build.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command
    .addHelpText('after', '\nLists every problem at once. A built site is checked if there is one.')
    .action(async () => {
      const { root, out, day, report } = context;
      const { index, definitions, problems } = loadIndex(root, day, program);
      const { components } = index;
      const found: Problem[] = [
        ...problems,
        ...checkComponents(
          components,
          definitions,
          listNames(join(root, 'data')).filter((name) => !['held', 'freshness'].includes(name)),
        ),
      ];
      if (existsSync(out)) {
        await checkSite(out).catch((error: unknown) => {
          if (!(error instanceof InputError)) {
            throw error;
          }
          found.push(...error.problems);
        });
      }

      const errors = found.filter(({ level }) => level === undefined);
      report.problem(...found);
      report.print(
        `${formatCount(components.length, 'component')}: ${formatCount(errors.length, 'error')}, ${formatCount(found.length - errors.length, 'warning')}.`,
      );
      report.document({ verb: 'check', asOf: day, problems: found });
      context.status = errors.length > 0 ? 1 : 0;
    });
}
