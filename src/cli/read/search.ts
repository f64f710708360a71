import { searchReleases } from '../../ask/published-index.ts';
import { describedFields } from '../../ask/query/field-meanings.ts';
import { describeMove, describeRow, listRows } from '../../ask/query/search.ts';
import { formatCount } from '../../core/text.ts';
import type { Define } from '../context.ts';
import { openDated } from './published.ts';

export const define: Define = (command, context) => {
  command
    .argument('<query>', 'a query such as "component:svc isSupported", a name, or a package URL')
    .addHelpText('after', listFields)
    .action(async (text: string) => {
      const { report } = context;
      const { index, asOf } = await openDated(context);
      const status = await index.status();
      const { releases: found, hints } = await searchReleases(index, text);
      const releases = listRows(found);
      const rows = releases.map((row) => {
        const { label, until } = describeRow(row);
        return [row.component, row.version, label, until, describeMove(row, status)];
      });
      report.print(
        { headings: ['component', 'version', 'state', 'until', 'move to'], rows },
        `${formatCount(releases.length, 'release')} on ${asOf}.`,
        ...hints,
      );
      report.document({ asOf, query: text, notes: hints, releases });
    });
};

function listFields(): string {
  const fields = describedFields.map(
    ({ name, type, meaning }) => `  ${name.padEnd(20)}  ${type.padEnd(9)}  ${meaning}`,
  );
  return ['', 'Terms are field:pattern, and all must match. The fields:', ...fields].join('\n');
}
