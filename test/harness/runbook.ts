import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';

export const runbook = readFileSync(join(checkout, '.github/RUNBOOK.md'), 'utf8');

/** The text of the block under a heading comment. */
export function textOf(name: string): string {
  const match = new RegExp(`<!-- sample: ${name} -->\\s+\`\`\`\\w+\\n(.*?)\\n\`\`\``, 's').exec(runbook);
  if (!match) throw new Error(`the runbook has no sample "${name}"`);
  return match[1]!;
}

/** The same as an object, where it may be some keys of one. */
export function sampleOf(name: string): Record<string, unknown> {
  const text = textOf(name);
  return JSON.parse(text.startsWith('{') ? text : `{${text}}`) as Record<string, unknown>;
}
