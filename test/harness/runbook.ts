import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';
import { readJsonIn, writeIn } from './root.ts';

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

/** Renames a component as the page says, without a commit. */
export function renameComponent(root: string, component: string, name: string): void {
  const fill = (text: string) =>
    text.replaceAll('<component>', component).replaceAll('<new-name>', name);
  const path = `components/${name}.json`;

  const moves = fill(textOf('moves')).split('\n');
  const hasSources = existsSync(join(root, `data/freshness/${component}.json`));
  const typed = hasSources ? moves : moves.slice(0, -1);

  execFileSync('sh', ['-e', '-c', typed.join('\n')], { cwd: root });
  writeIn(root, path, {
    ...readJsonIn<object>(root, path),
    ...(JSON.parse(fill(textOf('renamed'))) as object),
  });
}
