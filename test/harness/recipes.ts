import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './example.ts';

interface Insertion {
  /** The heading of the recipe. */
  recipe: string;
  path: string;
  /** Words of an existing line. The recipe inserts its text below this line. Undefined if the recipe creates the file. */
  below: string | undefined;
  text: string;
}

/** Reads the code blocks of the recipes in CONTRIBUTING.md, each with the file that its first line names. */
export function readRecipes(): Insertion[] {
  const document = readFileSync(join(program, '.github/CONTRIBUTING.md'), 'utf8');
  return document.split(/^## /m).flatMap((section) => {
    const [recipe = ''] = section.split('\n');
    const blocks = section.matchAll(
      /^```\w+\n(?:\/\/|\{\{!--|<!--) (\S+?)(?:, below: (.+?))?(?: --\}\}| -->)?\n([^]*?)^```$/gm,
    );
    return Array.from(blocks, ([, path = '', below, text = '']) => ({ recipe, path, below, text }));
  });
}
