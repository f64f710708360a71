import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';
import { readJsonIn, writeIn } from './root.ts';

function readPage(name: string): string {
  return readFileSync(join(checkout, '.github', name), 'utf8');
}

export const setup = readPage('SETUP.md');
export const runbook = readPage('RUNBOOK.md');

/** The pages whose commands a person types, in the order in which somebody needs them. */
export const pages = [setup, runbook, readPage('ACCESS.md')];

/** The keys of a definition or a release that the runbook shows, as an object. */
export function keysOf(...names: readonly string[]): Record<string, unknown> {
  const codes = names.map((name) => new RegExp(`\`("${name}": [^\`]*)\``).exec(runbook)?.[1]);

  return JSON.parse(`{${codes.join(', ')}}`) as Record<string, unknown>;
}

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

  const [, moves = ''] = /### Rename a component\n.*?```sh\n(.*?)\n```/s.exec(runbook) ?? [];
  const lines = fill(moves).split('\n');
  const hasSources = existsSync(join(root, `data/freshness/${component}.json`));
  const typed = hasSources ? lines : lines.slice(0, -1);

  execFileSync('sh', ['-e', '-c', typed.join('\n')], { cwd: root });
  writeIn(root, path, {
    ...readJsonIn<object>(root, path),
    ...(JSON.parse(fill(JSON.stringify(keysOf('renamedFrom')))) as object),
  });
}
