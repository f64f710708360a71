/** The commands that documents, pages and help texts print. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { runCli } from './cli.ts';
import { program } from './example.ts';
import { createIndex } from './index-folder.ts';
import { packageFile } from './site.ts';

export const verbs =
  'start gather build check preview publish daily plan accept init add explain search scan verify sign key mcp'.split(
    ' ',
  );
/** Without the program in front of it. */
export const isVerb = new RegExp(`^(?:${verbs.join('|')}) \\S`);
const isCommand = new RegExp(
  `^(?:npm|npx|node|bash|git|gh|curl|minisign|sha256sum|docker|claude|cd|echo) |${isVerb.source}`,
);

export const readDocument = (path: string) => readFileSync(join(program, path), 'utf8');

/** The blocks of a document in a language. */
export function readBlocks(path: string, language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\n([^]*?)\n\`\`\`$`, 'gm');
  return Array.from(readDocument(path).matchAll(pattern), ([, text = '']) => text);
}

/** With the document that prints it. */
export async function listPrinted(): Promise<Map<string, string>> {
  const documents = globSync(['README.md', '.github/*.md', 'site/starter/README.md'], {
    cwd: program,
  });
  const printed = documents.map((path) => [path, readMarkdown(path)] as const);
  const workflows = globSync('site/starter/dot-github/workflows/*.yml', { cwd: program });
  const steps = workflows.map((path) => [path, readSteps(readDocument(path))] as const);

  const pages: (readonly [string, string[]])[] = [];
  for (const settings of [{}, { signingPublicKey: undefined, hosting: 'pages' }]) {
    const index = createIndex(settings);
    index.write(`program/${packageFile}`, 'packed');
    await index.run('build');
    for (const page of ['use.html', 'status.html']) {
      pages.push([page, readPage(index.read(`dist/${page}`))]);
    }
  }

  const helps: (readonly [string, string[]])[] = [];
  for (const verb of ['', ...verbs]) {
    const { stdout } = await runCli([...(verb ? [verb] : []), '--help']);
    helps.push([`${verb} --help`, readHelp(stdout)]);
  }
  const all = [...printed, ...steps, ...pages, ...helps].flatMap(([document, commands]) =>
    commands.filter((line) => isCommand.test(line)).map((line) => [line, document] as const),
  );
  return new Map(all.toReversed());
}

/** The lines of blocks for a shell, and code in sentences. Tests of their own run the jobs for GitLab, and the line for cron. */
function readMarkdown(path: string): string[] {
  const text = readDocument(path);
  const inline = text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`([^`]+)`/g);
  return [
    ...readBlocks(path, 'sh').flatMap(readLines),
    ...Array.from(inline, ([, code = '']) => code),
  ];
}

/** Without comments. */
const readLines = (block: string) =>
  block.split('\n').map((line) => line.replace(/ +# .*$/, '').trim());

/** What the jobs of GitHub or GitLab run. */
function readSteps(text: string): string[] {
  const commands: string[] = [];
  const search = (node: unknown): void => {
    for (const [key, value] of Object.entries(Object(node))) {
      if (key === 'run' || key === 'script') {
        commands.push(...([value].flat() as string[]));
      } else if (typeof value === 'object') {
        search(value);
      }
    }
  };
  // A part for one host repeats keys of another's.
  search(load(text, { json: true }));
  return commands;
}

/** Blocks of a page are a command a line, or a file with jobs. */
function readPage(html: string): string[] {
  return Array.from(html.matchAll(/<code[^>]*>([^]*?)<\/code>/g), ([, code = '']) => {
    const text = code
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/&(?:#x27|#39|quot|lt|gt|amp);/g, (each) => entities[each]!);
    return /^ +(?:- run|script):/m.test(text) ? readSteps(text) : readLines(text);
  }).flat();
}

const entities: Readonly<Record<string, string>> = {
  '&#x27;': "'",
  '&#39;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** Its example, what it names in quotes, and the forms of "add". */
function readHelp(text: string): string[] {
  const [, advice = ''] = /^(?:Example|A first look): (.+)$/m.exec(text) ?? [];
  const forms = Array.from(
    text.matchAll(/^ {2}(add \S+ .+?)(?:: .*)?$/gm),
    ([, form = '']) => form,
  );
  const quoted = Array.from(text.matchAll(/"([^"\n]+)"/g), ([, code = '']) => code);
  return [...advice.split(', then '), ...forms, ...quoted];
}
