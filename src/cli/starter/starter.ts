import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { findFolder, findHost, type Host } from '../../core/schemas/definition/site-config.ts';
import { isAbsent, readIfThere } from '../../io/files/file-system.ts';
import { askGit, openGit } from '../../io/files/git.ts';
import { accessFile, requireSiteConfig } from '../../io/files/settings-files.ts';
import type { Root } from '../../io/files/root.ts';
import { programFolder } from '../../io/program.ts';
import { readVendoredFiles } from './vendored-workflow.ts';

/** The host of the repository, which runs the index every day; `none` means cron or a container. */
export const Forge = z.enum(['github', 'gitlab', 'none']);
export type Forge = z.infer<typeof Forge>;

/** A file of an index, as this version of the program writes it. */
export interface StarterFile {
  /** Absolute. */
  path: string;
  content: string;
  /** Whether it is for checks and runs at the forge. `init --update` writes it again. */
  isOfForge: boolean;
  /** Whether all indexes of a repository have it. */
  isShared?: true;
}

interface StarterInput {
  /** The folder of the index, absolute; may be missing. */
  folder: string;
  forge: Forge;
  /** The host of the site. */
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

/** The files of an index, by path. */
export function createStarterFiles(input: StarterInput): StarterFile[] {
  const files = createOwnFiles(input);
  if (input.forge === 'github') {
    files.push(...createVendoredFiles(input));
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The files that no other index of the repository shares. Forges read theirs at the root of the repository. */
function createOwnFiles(input: StarterInput): StarterFile[] {
  const { folder, forge, env } = input;
  const top = findTop(folder, env);
  const indexFolder = describePath(top, folder) || '.';
  const values = listValues(indexFolder, input);
  const unneeded = listUnneededForms(input);
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
  return files;
}

/** The workflow and the action of this project, which all indexes of a repository share. */
function createVendoredFiles(input: StarterInput): StarterFile[] {
  const folder = join(findTop(input.folder, input.env), '.github');
  const unneeded = listUnneededForms(input);
  return readVendoredFiles().map(({ path, text }) => ({
    path: join(folder, path),
    content: removeUnneeded(text, unneeded),
    isOfForge: true,
    isShared: true,
  }));
}

/** The files of an index for checks and runs at its forge. */
export function createForgeFiles(input: StarterInput): StarterFile[] {
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

/** The forges whose files an index has. Files that it shares may be there for another index. */
export function findForges(input: Omit<StarterInput, 'forge'>): Forge[] {
  return Forge.options.filter((forge) =>
    createOwnFiles({ ...input, forge }).some(
      ({ path, isOfForge }) => isOfForge && readIfThere(path)?.includes('release-index'),
    ),
  );
}

/** The root of the repository that a folder is or will be in; the folder itself without a repository. */
export function findTop(folder: string, env: NodeJS.ProcessEnv): string {
  let existing = folder;
  while (isAbsent(existing)) {
    existing = dirname(existing);
  }

  const up = askGit(openGit(existing, env), 'rev-parse', '--show-cdup');
  return up === undefined ? folder : resolve(existing, up);
}

/** A path from a folder, with slashes on every system. */
export function describePath(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/');
}

/** A file below `site/starter/`. */
interface Template {
  /** Its path in the index, after `forge-github/` and so on for a file of one forge. */
  name: string;
  text: string;
}

function readTemplates(): Template[] {
  const folder = join(programFolder, 'site', 'starter');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = describePath(folder, path);
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
 * The first free one of a path and of two next to it, such as `release-index-daily.yml` and, for the folder `docs`,
 * `release-index-docs-daily.yml`; the path itself if none is free.
 */
function findFreePath(path: string, folder: string): string {
  const prefixes = ['release-index', `release-index-${folder.replaceAll('/', '-')}`];
  const paths = [path, ...prefixes.map((prefix) => addPrefix(path, prefix))];
  return paths.find((candidate) => isFree(candidate, folder)) ?? path;
}

/** The folder of an index, as each kind of forge file names it. */
const folderName = /(?<=^ +(?:folder:|- cd) | cd index\/).+?(?= \\$|$)/gm;

/** Whether a path has no file, or a file of the index in this folder. A file that names no folder is of the only index. */
function isFree(path: string, folder: string): boolean {
  if (isAbsent(path)) {
    return true;
  }

  const content = readIfThere(path)?.toString() ?? '';
  const isOfFolder = content.match(folderName)?.includes(folder) ?? true;
  return content.includes('release-index') && isOfFolder;
}

/** `release-index-daily.yml` of `daily.yml`, and `release-index.gitlab-ci.yml` of `.gitlab-ci.yml`. */
function addPrefix(path: string, prefix: string): string {
  const name = basename(path);
  return join(dirname(path), name.startsWith('.') ? prefix + name : `${prefix}-${name}`);
}

/** Forms of the lines that an index does not need: permissions, secrets, and what only another host has. */
function listUnneededForms({ folder, host, isPrivate, isSigned }: StarterInput): RegExp[] {
  const isAttested = host !== 'files' && !isPrivate;
  const forms: [isNeeded: boolean, form: RegExp][] = [
    [host === 'cloudflare', /CLOUDFLARE_|^\.wrangler\/$/],
    [host === 'pages', /^ +pages: write/],
    [host === 'files', /PUBLISH_FOLDER/],
    [isAttested || host === 'pages', /^ +id-token: write/],
    [isAttested, /^ +attestations: write/],
    [isSigned, /RELEASE_INDEX_SIGNING_KEY/],
    [isPrivate, /RELEASE_INDEX_(?:ACCESS_KEYS|KEY):/],
    [readsNpmToken(folder), /NPM_TOKEN/],
  ];
  return forms.filter(([isNeeded]) => !isNeeded).map(([, form]) => form);
}

/** Whether npm of an index reads a token from the environment. */
export function readsNpmToken(folder: string): boolean {
  return readIfThere(join(folder, '.npmrc'))?.includes('NPM_TOKEN') === true;
}

/** A block: a job that deploys or attests the site, `attest:` or `pages:`, with the comments above it. */
const job = /^\n(?: {2}#.*\n)* {2}(?:attest|pages):\n(?: {4}.*\n|\n(?= {4}))+/gm;

/** A block: a secret that a workflow declares, such as `NPM_TOKEN:` with `required: false`, with the comments above it. */
const declaredSecret = /(?:^ {6}#.*\n)*^ {6}\w+:\n {8}required: false\n/gm;

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

/** Whether a line is `secrets:` or `env:` and its lines were all left out: the next line is indented no further. */
function isEmptyKey(line: string, nextLine = ''): boolean {
  const [, indent] = /^( +)(?:secrets|env):$/.exec(line) ?? [];
  return indent !== undefined && !nextLine.startsWith(`${indent} `);
}
