import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './example.ts';

export const contract = readFileSync(join(program, '.github/CONTRACT.md'), 'utf8');

/** Returns all texts in backticks. */
export const readNames = (text: string) =>
  Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name);

/** Returns the rows of the table in CONTRACT whose header begins with `header`. A row is an array of cells. */
export function readContractTable(header: string): string[][] {
  const [, table = ''] = contract.split(`\n| ${header}`);
  const [rows = ''] = table.split('\n\n');
  return rows
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

/** Returns the paths that the list in section 2 of CONTRACT names, such as `details/<component>.json`. */
export function readContractPaths(): string[] {
  const [, section = ''] = contract.split('\n## 2. Files\n');
  const [list = ''] = section.split('\n### ');
  return Array.from(list.matchAll(/^- (`.+?`): /gm), ([, paths = '']) => paths)
    .flatMap(readNames)
    .flatMap((path) => {
      const [, choices = ''] = /\{(.+)\}/.exec(path) ?? [];
      return choices.split(',').map((choice) => path.replace(/\{.+\}/, choice));
    });
}
