import type { Table } from '../commands/reporter.ts';
import { stripVTControlCharacters, styleText } from 'node:util';

export function formatTable({ headings, rows }: Table, stream: NodeJS.WriteStream): string {
  const cells = rows.map((row) => row.map(String));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const isNumber = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const format = (row: readonly string[]) =>
    row
      .map((cell, column) => pad(cell, widths[column]!, isNumber[column]!))
      .join('  ')
      .trimEnd();
  const lines = [styleText('bold', format(headings), { stream }), ...cells.map(format)];
  return `${lines.join('\n')}\n`;
}

function pad(cell: string, width: number, isRight: boolean): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(cell)));
  return isRight ? space + cell : cell + space;
}

function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
