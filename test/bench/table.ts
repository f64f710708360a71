import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export interface BenchTable {
  title: string;
  headings: readonly string[];
  rows: readonly (readonly string[])[];
  /** How it was measured, where the headings do not say. */
  note?: string;
}

export function renderTables(tables: readonly BenchTable[]): string {
  return tables.map(renderTable).join('\n');
}

function renderTable({ title, headings, rows, note }: BenchTable): string {
  const lines = [headings, headings.map((_, column) => (column === 0 ? '---' : '---:')), ...rows];
  const text = lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  return `**${title}**\n\n${text}${note === undefined ? '' : `\n${note}\n`}`;
}

const [begin, end] = ['<!-- bench -->', '<!-- /bench -->'];

/** Puts the tables between the marks of a document. Returns whether it has such marks. */
export function updateDocument(path: string, tables: string): boolean {
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) return false;
  writeFileSync(path, `${text.slice(0, from + begin.length)}\n\n${tables}\n${text.slice(to)}`);
  return true;
}
