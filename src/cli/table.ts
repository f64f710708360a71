import type { Table } from './commands/report.ts';
import { toLogLine } from '../core/text.ts';

export function formatTable({ headings, rows }: Table, paintHeading: (text: string) => string): string {
  const cells = rows.map((row) => row.map((cell) => toLogLine(String(cell))));
  const widths = headings.map((heading, column) =>
    // There may be more rows than a function takes arguments.
    cells.reduce((width, row) => Math.max(width, (row[column] ?? '').length), heading.length),
  );
  const isNumber = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const format = (row: readonly string[]) =>
    row
      .map((cell, column) => pad(cell, widths[column]!, isNumber[column]!))
      .join('  ')
      .trimEnd();
  const lines = [paintHeading(format(headings)), ...cells.map(format)];
  return `${lines.join('\n')}\n`;
}

function pad(cell: string, width: number, isRight: boolean): string {
  const space = ' '.repeat(Math.max(0, width - cell.length));
  return isRight ? space + cell : cell + space;
}
