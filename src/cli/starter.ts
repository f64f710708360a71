import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { findFolder, findHost, type Host } from '../core/schemas/definition/site-config.ts';
import { isAbsent, readIfThere } from '../io/files/file-system.ts';
import { askGit, openGit } from '../io/files/git.ts';
import { accessFile, requireSiteConfig } from '../io/files/settings-files.ts';
import type { Root } from '../io/files/root.ts';
import { programFolder, readProgramVersion, vendoredWorkflow } from '../io/program.ts';

/** The scheduler of the daily run: `none` means cron or a container. */
export const Forge = z.enum(['github', 'gitlab', 'none']);
export type Forge = z.infer<typeof Forge>;

/** A file of a new index. */
export interface StarterFile {
  /** Absolute. */
  path: string;
  content: string;
  /** It configures the forge. `init --update` writes it again. */
  isOfForge: boolean;
}

interface StarterInput {
  /** The folder of the index, absolute; may be missing. */
  folder: string;
  forge: Forge;
  host: Host;
  /** The folder that a server serves, if the index names it. */
  publishFolder: string | undefined;
  env: NodeJS.ProcessEnv;
  /** Whether the index asks its readers for a credential. */
  isPrivate: boolean;
  /** Whether its list of digests is signed. */
  isSigned: boolean;
  /** Replacements for further words in the files. */
  values?: Readonly<Record<string, string>>;
}

/** The files of a new index, by path. Forges read their files at the root of the repository. */
export function createStarterFiles(input: StarterInput): StarterFile[] {
  const { folder, forge, env } = input;
  const top = findRepository(folder, env) ?? folder;
  const indexFolder = relative(top, folder).replaceAll(sep, '/') || '.';
  const values = listValues(indexFolder, input);
  const unneeded = listUnneeded(input);
  const forgeFolder = `forge-${forge}/`;
  const files: StarterFile[] = [];

  for (const { name, text } of readTemplates()) {
    const content = insertValues(removeUnneeded(text, unneeded), values);
    if (name.startsWith(forgeFolder)) {
      const path = findFreePath(join(top, name.slice(forgeFolder.length)), indexFolder);
      files.push({ path, content, isOfForge: true });
    } else if (!name.startsWith('forge-')) {
      files.push({ path: join(folder, name), content, isOfForge: false });
    }
  }

  if (forge === 'github') {
    for (const { name, text } of readProgramFiles()) {
      const content = removeUnneeded(text, unneeded);
      files.push({ path: join(top, '.github', name), content, isOfForge: true });
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The forge files of an existing index, as this version would write them. */
export function createCurrentFiles(input: StarterInput): StarterFile[] {
  return createStarterFiles(input).filter(({ isOfForge }) => isOfForge);
}

/** The facts of an existing index that its forge files depend on. */
export function readStarterInput(root: Root, env: NodeJS.ProcessEnv): Omit<StarterInput, 'forge'> {
  const config = requireSiteConfig(root);
  return {
    folder: root.dir,
    env,
    host: findHost(config),
    publishFolder: findFolder(config),
    isPrivate: !isAbsent(join(root.dir, accessFile)),
    isSigned: config.signingPublicKey !== undefined,
  };
}

/** The forge whose files an index has. */
export function findForge(input: Omit<StarterInput, 'forge'>): Forge | undefined {
  return Forge.options.find((forge) =>
    createCurrentFiles({ ...input, forge }).some(({ path }) =>
      readIfThere(path)?.includes('release-index'),
    ),
  );
}

/** The root of the repository that a folder is or will be in. */
export function findRepository(folder: string, env: NodeJS.ProcessEnv): string | undefined {
  if (isAbsent(folder)) {
    return findRepository(dirname(folder), env);
  }

  const up = askGit(openGit(folder, env), 'rev-parse', '--show-cdup');
  return up === undefined ? undefined : resolve(folder, up);
}

/** A file of this program that becomes a file of an index. */
interface Template {
  /** Its path, from the folder that it goes to. */
  name: string;
  text: string;
}

/** The templates of an index, those of a forge below `forge-github/` and so on. */
function readTemplates(): Template[] {
  const folder = join(programFolder, 'site', 'starter');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = relative(folder, path).replaceAll(sep, '/');
      // npm omits some files whose names start with a dot from packages.
      return { name: name.replaceAll(/(^|\/)dot-/g, '$1.'), text: readFileSync(path, 'utf8') };
    });
}

/** The values of an index, by the words that stand for them in templates. */
function listValues(
  indexFolder: string,
  { host, publishFolder = '/srv/releases', values }: StarterInput,
): Record<string, string> {
  return {
    PROGRAM: readProgramVersion(),
    INDEX_FOLDER: indexFolder,
    // A server's folder is out of reach for the runners of GitHub.
    RUNNER: host === 'files' ? 'self-hosted' : 'ubuntu-24.04',
    PUBLISH_FOLDER: publishFolder,
    ...values,
  };
}

/** Replaces all words at once: a value may have a word in it. */
function insertValues(text: string, values: Record<string, string>): string {
  const words = new RegExp(Object.keys(values).join('|'), 'g');
  return text.replaceAll(words, (word) => values[word] ?? word);
}

/**
 * The path itself if it is free or no other is; otherwise a path next to it, such as `release-index-daily.yml` or
 * `release-index-docs-daily.yml`.
 */
function findFreePath(path: string, folder: string): string {
  const prefixes = ['release-index', `release-index-${folder.replaceAll('/', '-')}`];
  const paths = [path, ...prefixes.map((prefix) => addPrefix(path, prefix))];
  return paths.find((candidate) => isFree(candidate, folder)) ?? path;
}

/** Whether a path has no file, or the file of the index in a folder. A file that names no folder runs the only index. */
function isFree(path: string, folder: string): boolean {
  if (isAbsent(path)) {
    return true;
  }

  const content = readIfThere(path)?.toString() ?? '';
  const isOfFolder = !content.includes('folder: ') || content.includes(`folder: ${folder}\n`);
  return content.includes('release-index') && isOfFolder;
}

/** `release-index-daily.yml` of `daily.yml`, and `release-index.gitlab-ci.yml` of `.gitlab-ci.yml`. */
function addPrefix(path: string, prefix: string): string {
  const name = basename(path);
  return join(dirname(path), name.startsWith('.') ? prefix + name : `${prefix}-${name}`);
}

/** Files of this project that an index copies, since its workflows call them. */
const programFiles = [
  'workflows/publish.yml',
  'actions/release-index/action.yml',
  'actions/release-index/run.sh',
];

/** The workflow and the action of this project as files of an index: each runs the program of its lock file. */
function readProgramFiles(): Template[] {
  return programFiles.map((path) => ({
    name: path.replace('publish.yml', vendoredWorkflow),
    text: readFileSync(join(programFolder, '.github', path), 'utf8')
      .replace(ownCommit, 'package-lock.json.\n#')
      .replaceAll(checkoutSteps, installSteps)
      .replaceAll(checkoutCall, 'npx --no -- release-index'),
  }));
}

// The parts of publish.yml that differ in an index. A test of `init` fails where the workflow has them in another form.

/** In its first lines: `of its own commit, with the dependencies locked there, … attests.` */
const ownCommit = /its own commit, with[^.]+\./;

/** The steps that check this project out and install it, from `- uses: actions/checkout…` to `COMMIT: …`. */
const checkoutSteps =
  / {6}- uses: \S+ .*\n {8}with:\n {10}repository: [^]*?(actions\/setup-node.*)\n[^]*?COMMIT: .*\n/g;

/** The repository of an index has the program in its lock file, and not in its own commits. */
const installSteps = `      - uses: $1
        with:
          node-version: 24
      - run: npm ci --ignore-scripts
        env:
          NPM_TOKEN: \${{ secrets.NPM_TOKEN }}
`;

/** A call of the program in a checkout, by npm with the options that name the checkout. */
const checkoutCall = /npm run --silent --prefix \S+ release-index --/g;

/** The lines that an index does not need: permissions, secrets, and what only another host has. */
function listUnneeded({ folder, host, isPrivate, isSigned }: StarterInput): RegExp[] {
  const isAttested = host !== 'files' && !isPrivate;
  const lines: [isNeeded: boolean, line: RegExp][] = [
    [host === 'cloudflare', /CLOUDFLARE_|^\.wrangler\/$/],
    [host === 'pages', /^ +pages: write/],
    [host === 'files', /PUBLISH_FOLDER/],
    [isAttested || host === 'pages', /^ +id-token: write/],
    [isAttested, /^ +attestations: write/],
    [isSigned, /RELEASE_INDEX_SIGNING_KEY/],
    [isPrivate, /RELEASE_INDEX_(?:ACCESS_KEYS|KEY):/],
    [readsNpmToken(folder), /NPM_TOKEN/],
  ];
  return lines.filter(([isNeeded]) => !isNeeded).map(([, line]) => line);
}

/** Whether npm of an index reads a token from the environment. */
export function readsNpmToken(folder: string): boolean {
  return readIfThere(join(folder, '.npmrc'))?.includes('NPM_TOKEN') === true;
}

/**
 * Leaves out unneeded lines, and each block with any of them: GitHub rejects a call whose jobs ask for more than the caller has,
 * even if they never run.
 */
function removeUnneeded(text: string, unneeded: readonly RegExp[]): string {
  const isUnneeded = (line: string) => unneeded.some((pattern) => pattern.test(line));
  const keepNeeded = (block: string) => (block.split('\n').some(isUnneeded) ? '' : block);
  const lines = text
    .replaceAll(job, keepNeeded)
    .replaceAll(declaredSecret, keepNeeded)
    .split('\n')
    .filter((line) => !isUnneeded(line));

  return lines.filter((line, index) => !isEmptyKey(line, lines[index + 1])).join('\n');
}

/** A block: a job that deploys or attests the site, `attest:` or `pages:`, with the comments above it. */
const job = /^\n(?: {2}#.*\n)* {2}(?:attest|pages):\n(?: {4}.*\n|\n(?= {4}))+/gm;

/** A block: a secret that a workflow declares, such as `NPM_TOKEN:` with `required: false`, with the comments above it. */
const declaredSecret = /(?:^ {6}#.*\n)*^ {6}\w+:\n {8}required: false\n/gm;

/** Whether a line is a key whose lines were all left out: the next line is indented no further. */
function isEmptyKey(line: string, nextLine = ''): boolean {
  const [, indent] = /^( +)(?:secrets|env):$/.exec(line) ?? [];
  return indent !== undefined && !nextLine.startsWith(`${indent} `);
}
