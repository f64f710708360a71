import { execFile } from 'node:child_process';
import { ownProgram } from './cli.ts';
import { temporaryFolder } from './root.ts';

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  '#x3D': '=',
  '#x60': '`',
  gt: '>',
  lt: '<',
  '#x27': "'",
  quot: '"',
};

/** What can be copied from a page, by its title, as a person copies it. */
export function snippetsIn(html: string): Map<string, string> {
  const found = html.matchAll(/<pre data-copy="([^"]*)"[^>]*><code>([^<]*)/g);
  const plain = (text: string) =>
    text.replaceAll(/&([#\w]+);/g, (_, name: string) => entities[name]!);
  return new Map(Array.from(found, ([, title, text]) => [plain(title!), plain(text!)]));
}

export function copiedFrom(html: string, label: string): string {
  const text = snippetsIn(html).get(label);
  if (text === undefined) {
    throw new Error(`the page has no "${label}"`);
  }
  return text;
}

export interface CopiedRun {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs a command of a page with this program and the site at `url`. */
export function runCopied(
  command: string,
  url: string,
  {
    cwd = temporaryFolder(),
    env = {},
  }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<CopiedRun> {
  const own = command
    .replaceAll(/npx (?:--yes )?release-index(?:@\d+)?/g, `${process.execPath} ${ownProgram}`)
    .replaceAll('https://releases.example.com', url.replace(/\/$/, ''));
  const whole = { PATH: process.env['PATH'], NO_COLOR: '1', CI: '1', ...env };
  return new Promise((resolve) => {
    execFile('sh', ['-c', own], { cwd, env: whole }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}
