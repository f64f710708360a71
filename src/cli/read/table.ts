import { resolve } from 'node:path';
import { requireComponent } from '../../ask/published-index.ts';
import { renderSupportTable } from '../../ask/support-table.ts';
import { inputError } from '../../core/errors.ts';
import { readNamedFile, saveFile } from '../../core/files.ts';
import type { Define } from '../context.ts';
import { openDated } from './published.ts';

export const define: Define = (command, context) => {
  command
    .argument('<component>', 'a name or an alias')
    .option('--write <file>', 'replace the table between two comments in this file')
    .action(async (text: string, { write }: { write?: string }) => {
      const { report } = context;
      const { index, asOf } = await openDated(context);
      const details = await requireComponent(index, text);
      const { component } = details;
      const rows = renderSupportTable(details, asOf);
      report.document({ component, asOf, table: rows });
      if (write === undefined) {
        report.print(rows);
        return;
      }

      const isChanged = saveFile(resolve(write), replaceTables(write, component, rows));
      report.print([isChanged ? `Changed ${write}` : `${write} is up to date`]);
    });
};

/**
 * Returns the content of a file, in which the rows replace what stands between `<!-- release-index svc -->` and the next
 * `<!-- /release-index -->`. All other bytes stay. Throws an `InputError` if the file lacks these comments.
 */
function replaceTables(path: string, component: string, rows: readonly string[]): Buffer {
  const [start, end] = [`<!-- release-index ${component} -->`, '<!-- /release-index -->'];
  // As Latin-1, each byte is a character, so bytes that are not UTF-8 stay, too.
  const text = readNamedFile(path).toString('latin1');
  const [before = '', ...parts] = text.split(start);
  const rests = parts.map((part) => part.indexOf(end));
  if (parts.length === 0 || rests.includes(-1)) {
    const comments = `${start} and ${end}`;
    throw inputError(
      path,
      `has no place for the table. Write ${comments}, each on a line of its own`,
    );
  }

  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const table = Buffer.from(['', '', ...rows, '', ''].join(lineEnd)).toString('latin1');
  const replaced = parts.map((part, place) => table + part.slice(rests[place]));
  return Buffer.from([before, ...replaced].join(start), 'latin1');
}
