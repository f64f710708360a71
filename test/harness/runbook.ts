import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';

/** The pages whose commands a person types. */
export const pages = ['RUNBOOK.md', 'ACCESS.md'].map((name) =>
  readFileSync(join(checkout, '.github', name), 'utf8'),
);

/** The key of a source that leaves a version out. */
export const exclusion = JSON.parse(
  `{${/`("allowedVersions": ".*?")`/.exec(pages[0]!)![1]}}`,
) as object;

/** The text of the block under a heading comment. */
export function textOf(name: string): string {
  const match = new RegExp(`<!-- sample: ${name} -->\\s+\`\`\`\\w+\\n(.*?)\\n\`\`\``, 's').exec(
    pages.join('\n'),
  );
  if (!match) {
    throw new Error(`no page has a sample "${name}"`);
  }
  return match[1]!;
}

/** The same as an object, where it may be some keys of one. */
export function sampleOf(name: string): Record<string, unknown> {
  const text = textOf(name);
  return JSON.parse(text.startsWith('{') ? text : `{${text}}`) as Record<string, unknown>;
}
