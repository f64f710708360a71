import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { findHost, type Host } from '../core/schemas/definition/site-config.ts';
import { isAbsent, readIfThere } from '../io/files/file-system.ts';
import { askGit, openGit } from '../io/files/git.ts';
import { accessFile, requireSiteConfig } from '../io/files/read.ts';
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
  /** It configures the forge, and is the same in every index. */
  isOfForge: boolean;
}

interface StarterInput {
  /** The folder of the index, absolute; may be missing. */
  folder: string;
  forge: Forge;
  host: Host;
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
  const starter = join(programFolder, 'site', 'starter');
  const top = findRepository(folder, env) ?? folder;
  const indexFolder = relative(top, folder).replaceAll(sep, '/') || '.';
  const forgeFolder = `forge-${forge}/`;
  const files: StarterFile[] = [];

  for (const [name, content] of readTemplates(starter, indexFolder, input)) {
    if (name.startsWith(forgeFolder)) {
      const path = findFreePath(join(top, name.slice(forgeFolder.length)), indexFolder);
      files.push({ path, content, isOfForge: true });
    } else if (!name.startsWith('forge-')) {
      files.push({ path: join(folder, name), content, isOfForge: false });
    }
  }

  if (forge === 'github') {
    files.push(...createProgramWorkflows(top, input));
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * The files of a folder with the values of an index, by name. They have `dot-` for a dot at the start of a name, since npm omits some
 * such files from packages.
 */
function readTemplates(
  folder: string,
  indexFolder: string,
  input: StarterInput,
): [name: string, content: string][] {
  const words: Readonly<Record<string, string>> = {
    PROGRAM: readProgramVersion(),
    INDEX_FOLDER: indexFolder,
    // A server's folder is out of reach for the runners of GitHub.
    RUNNER: input.host === 'files' ? 'self-hosted' : 'ubuntu-24.04',
    ...input.values,
  };
  const pattern = new RegExp(Object.keys(words).join('|'), 'g');

  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = relative(folder, path).replaceAll(sep, '/');
      const content = removeUnneeded(readFileSync(path, 'utf8'), input);
      return [
        name.replaceAll(/(^|\/)dot-/g, '$1.'),
        content.replaceAll(pattern, (word) => words[word] ?? word),
      ];
    });
}

/** The facts of an existing index that its forge files depend on. */
export function readIndex(root: Root, env: NodeJS.ProcessEnv) {
  const config = requireSiteConfig(root);
  return {
    folder: root.dir,
    env,
    host: findHost(config),
    isPrivate: !isAbsent(join(root.dir, accessFile)),
    isSigned: config.signingPublicKey !== undefined,
  };
}

/** Whether npm of an index reads a token from the environment. */
export function readsNpmToken(folder: string): boolean {
  return readIfThere(join(folder, '.npmrc'))?.includes('NPM_TOKEN') === true;
}

/** The forge files of an existing index, as this version would write them. */
export function createCurrentFiles(input: StarterInput): StarterFile[] {
  return createStarterFiles(input).filter(({ isOfForge }) => isOfForge);
}

/** Files of this project that an index copies, since its workflows call them. */
const copies = [
  'workflows/publish.yml',
  'actions/release-index/action.yml',
  'actions/release-index/run.sh',
];

/** The repository of an index has the program in its lock file, and not in its own commits. */
const installSteps = `      - uses: $1
        with:
          node-version: 24
      - run: npm ci --ignore-scripts
        env:
          NPM_TOKEN: \${{ secrets.NPM_TOKEN }}
`;

/** In the first lines of the workflow: `of its own commit, with the dependencies locked there, … attests.` */
const ownCommit = /its own commit, with[^.]+\./;

/** The steps that check this project out and install it, from `- uses: actions/checkout…` to `COMMIT: …`. */
const checkoutSteps =
  / {6}- uses: \S+ .*\n {8}with:\n {10}repository: [^]*?(actions\/setup-node.*)\n[^]*?COMMIT: .*\n/g;

/** A call of the program in a checkout, by npm with the options that name the checkout. */
const checkoutCall = /npm run --silent --prefix \S+ release-index --/g;

/** The workflow and the action of this project as files of an index: each runs the program of its lock file. */
function createProgramWorkflows(top: string, input: StarterInput): StarterFile[] {
  return copies.map((path) => {
    const content = readFileSync(join(programFolder, '.github', path), 'utf8')
      .replace(ownCommit, 'package-lock.json.\n#')
      .replaceAll(checkoutSteps, installSteps)
      .replaceAll(checkoutCall, 'npx --no -- release-index');

    const name = path.replace('publish.yml', vendoredWorkflow);
    return {
      path: join(top, '.github', name),
      content: removeUnneeded(content, input),
      isOfForge: true,
    };
  });
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

/**
 * The path itself, unless it is a file of others or of another index in the repository: then one next to it, such as
 * `release-index-daily.yml`. The path itself also where none is free.
 */
function findFreePath(path: string, folder: string): string {
  const name = basename(path).replace(/^(?!\.)/, '-');
  const prefixes = ['release-index', `release-index-${folder.replaceAll('/', '-')}`];
  const paths = [path, ...prefixes.map((prefix) => join(dirname(path), prefix + name))];
  const isFree = (candidate: string) =>
    isAbsent(candidate) || isOfIndex(readIfThere(candidate)?.toString() ?? '', folder);
  return paths.find(isFree) ?? path;
}

/** Whether a file of a forge runs the index in a folder. A file without a folder runs the only index. */
function isOfIndex(content: string, folder: string): boolean {
  const namesFolder = !content.includes('folder: ') || content.includes(`folder: ${folder}\n`);
  return content.includes('release-index') && namesFolder;
}

/** The lines about permissions, secrets and wrangler that an index does not need. */
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

/** A job that deploys or attests the site, `attest:` or `pages:`, with the comments above it. */
const job = /^\n(?: {2}#.*\n)* {2}(?:attest|pages):\n(?: {4}.*\n|\n(?= {4}))+/gm;

/** A secret that a workflow declares, such as `NPM_TOKEN:` with `required: false`, with the comments above it. */
const declaredSecret = /(?:^ {6}#.*\n)*^ {6}\w+:\n {8}required: false\n/gm;

/**
 * Leaves out the jobs, permissions and secrets that the index does not need. GitHub rejects a call whose jobs ask for more
 * than the caller has, even if they never run.
 */
function removeUnneeded(content: string, input: StarterInput): string {
  const unneeded = listUnneeded(input);
  const isUnneeded = (line: string) => unneeded.some((pattern) => pattern.test(line));
  const keepNeeded = (block: string) => (block.split('\n').some(isUnneeded) ? '' : block);
  const lines = content
    .replaceAll(job, keepNeeded)
    .replaceAll(declaredSecret, keepNeeded)
    .split('\n')
    .filter((line) => !isUnneeded(line));

  return lines.filter((line, index) => !isEmptyKey(line, lines[index + 1])).join('\n');
}

/** Whether a line is a key whose lines were all left out: the next line is indented no further. */
function isEmptyKey(line: string, nextLine = ''): boolean {
  const indent = line.search(/\S/);
  return /^ +(?:secrets|env):$/.test(line) && nextLine.search(/\S|$/) <= indent;
}
