/** Lists the commands that documents, pages and help texts print. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { runCli, verbs } from '../harness/cli.ts';
import { program } from '../harness/example.ts';
import { readText } from '../harness/html.ts';
import { createIndex } from '../harness/index-folder.ts';
import { packageFile } from '../harness/site.ts';

export const site = 'https://releases.example.com';

/** Matches a command of release-index without `npx release-index` in front. */
export const isVerb = new RegExp(`^(?:${verbs.join('|')})(?= |$)`);
const isCommand = new RegExp(
  `^(?:npm|npx|node|bash|git|gh|curl|minisign|sha256sum|docker|sqlite3|jq|claude|cd|echo|export|cp|diff) |${isVerb.source} `,
);

/**
 * Replaces placeholders in printed commands with values, and other spellings of a command with the usual spelling.
 */
const meant: Readonly<Record<string, string>> = {
  'npm install && npx release-index start': 'start',
  'npx release-index <verb>': 'start',
  '<verb>': `init ../my-index --releases-url ${site}`,
  'npm ci && npm test': 'npm test',
  FOLDER: 'my-index --host cloudflare',
  '<datasource>': 'npm',
  '<package>': 'semver --support term:18',
  '<package…>': 'semver --support term:18',
  CHECKOUT: 'endoflife.date',
  FILE: 'releases.csv',
  '<product…>': 'nodejs postgresql',
  '<component> [version]': 'svc 2025.1',
  '<component>': 'svc',
  '[component…]': 'svc',
  '<query>': '"component:svc isSupported"',
  '<files>': 'versions.txt --policy supported',
  '<folder or URL>': site,
  'NAME --expires DAY': 'robot --expires 2027-06-30',
  '<id>': 'svc-1b4e28ba7c',
};

function giveValues(line: string): string {
  return Object.entries(meant)
    .reduce((text, [name, value]) => text.replaceAll(name, value), line.trim())
    .replace(/^npx (?:--no -- )?release-index /, '');
}

export const readDocument = (path: string) => readFileSync(join(program, path), 'utf8');

/** Returns the code blocks of a document that are in one language. */
export function readBlocks(path: string, language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\n([^]*?)\n\`\`\`$`, 'gm');
  return Array.from(readDocument(path).matchAll(pattern), ([, text = '']) => text);
}

let printed: Promise<Map<string, string>> | undefined;

/** Returns each printed command with the document that prints it. */
export const listPrinted = () => (printed ??= readPrinted());

async function readPrinted(): Promise<Map<string, string>> {
  const read: [string, string[]][] = [];
  for (const path of globSync('{README.md,.github/*.md,site/starter/README.md}', {
    cwd: program,
  })) {
    read.push([path, readMarkdown(path)]);
  }
  const workflows = 'site/starter/dot-github/workflows';
  read.push([workflows, readSteps(readDocument(`${workflows}/check.yml`))]);
  for (const path of globSync('site/hosts/*.yml', { cwd: program })) {
    // `init` appends the host's file to the daily workflow.
    const workflow = `${readDocument(`${workflows}/daily.yml`)}${readDocument(path)}`;
    read.push([path, readSteps(workflow)]);
  }
  for (const settings of [{}, { signingPublicKey: undefined, hosting: 'pages' }]) {
    const index = createIndex(settings);
    index.write(`program/${packageFile}`, 'packed');
    await index.run('build');
    // One component page is enough, because all come from the same template.
    for (const page of globSync('{index,svc,mine,changes,status,use,404}.html', {
      cwd: index.out,
    })) {
      read.push([page, readPage(index.read(`dist/${page}`))]);
    }
  }
  for (const verb of ['', ...verbs]) {
    const { stdout } = await runCli([verb, '--help'].filter(Boolean));
    read.push([`${verb} --help`, readHelp(stdout)]);
  }
  return new Map(
    read.flatMap(([document, lines]) =>
      lines.filter((line) => isCommand.test(line)).map((line) => [giveValues(line), document]),
    ),
  );
}

/**
 * Reads the commands of shell blocks, cron lines and inline code. The GitLab jobs are not read
 * here, because one row runs them as a whole.
 */
function readMarkdown(path: string): string[] {
  const text = readDocument(path);
  const inline = text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`([^`]+)`/g);
  return [
    ...readBlocks(path, 'sh').flatMap(readLines),
    ...readCron(text),
    ...Array.from(inline, ([, code = '']) => code),
  ];
}

export const readCron = (text: string) =>
  Array.from(text.matchAll(/^(?:[\d*]+ ){5}(.+)$/gm), ([, line = '']) => line);

/** Returns the lines of a block. Removes the shell comment at the end of each line. */
const readLines = (block: string) =>
  block.split('\n').map((line) => line.replace(/ +# .*$/, '').trim());

/** Returns the scripts of a GitHub workflow or of GitLab jobs. */
function readSteps(text: string): string[] {
  const commands: string[] = [];
  JSON.stringify(load(text), (key, value: unknown) => {
    if (key === 'run' || key === 'script') {
      commands.push(...([value].flat() as string[]));
    }
    return value;
  });
  return commands;
}

/** Reads the code blocks of a page. A block has either a command per line or a workflow file. */
function readPage(html: string): string[] {
  return Array.from(html.matchAll(/<code[^>]*>([^]*?)<\/code>/g), ([, code = '']) => {
    const text = readText(code);
    return /^ +(?:- run|script):/m.test(text) ? readSteps(text) : readLines(text);
  }).flat();
}

/** Reads a help text: its example, the commands that it quotes, and the forms of `add`. */
function readHelp(text: string): string[] {
  const [, advice = ''] = /^(?:Example|A first look): (.+)$/m.exec(text) ?? [];
  const others = text.matchAll(/^ {2}(add \S+ .+?)(?:: .*)?$|"([^"\n]+)"/gm);
  return [
    ...advice.split(', then '),
    ...Array.from(others, ([, form, quoted]) => (form ?? quoted)!),
  ];
}
