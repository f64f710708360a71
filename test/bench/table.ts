import { readFileSync, writeFileSync } from 'node:fs';

export interface BenchTable {
  title: string;
  headings: readonly string[];
  rows: readonly (readonly string[])[];
}

export function renderTables(tables: readonly BenchTable[]): string {
  return tables.map(renderTable).join('\n');
}

function renderTable({ title, headings, rows }: BenchTable): string {
  const lines = [headings, headings.map((_, column) => (column === 0 ? '---' : '---:')), ...rows];
  const text = lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  return `**${title}**\n\n${text}`;
}

/** Writes the document that holds all measurements and nothing else. */
export function saveDocument(path: string, tables: string): void {
  const text = `# Measurements

Written by \`npm run bench -- --save\`, which measures whole processes side by side, on the release history of some 400
products. Times differ from machine to machine; the ratios, each taken within one run, are what to read.

${tables}`;
  writeFileSync(path, text);
}

const [begin, end] = ['<!-- bench -->', '<!-- /bench -->'];

/** Puts lines between the marks of a document. Throws where it has no such marks. */
export function saveSummary(path: string, lines: readonly string[]): void {
  const text = readFileSync(path, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${path} has no ${begin} … ${end} to put the ratios into`);
  writeFileSync(path, `${text.slice(0, from + begin.length)}\n\n${lines.join('\n')}\n\n${text.slice(to)}`);
}
