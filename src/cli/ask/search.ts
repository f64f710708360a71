import type { Command } from 'commander';
import { formatCount } from '../../core/text.ts';
import { searchReleases } from '../../serve/releases.ts';
import { indexOption, openPublished, type Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command
    .argument('<query>', 'in the query language of the index')
    .addOption(indexOption)
    .action(async (text: string, { index: url }: { index?: string }) => {
      const { report } = context;
      const index = openPublished(context, url);
      const { asOf } = await index.status();
      const { releases, notes } = await searchReleases(index, text);
      const rows = releases.map(({ component, version, state, supportedUntil, moveTo }) => [
        component,
        version,
        state,
        String(supportedUntil ?? ''),
        String(moveTo ?? ''),
      ]);
      report.print(
        { headings: ['component', 'version', 'state', 'until', 'move to'], rows },
        `${formatCount(releases.length, 'release')} on ${asOf}.`,
        ...notes,
      );
      report.document({ verb: 'search', asOf, query: text, notes, releases });
    });
}
