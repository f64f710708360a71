import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import type { Host } from '../core/schemas/site-config.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { askGit, openGit } from '../io/files/git.ts';
import { readIfThere } from '../io/files/save.ts';
import { programFolder, programRepository, programVersion, wantedWrangler } from '../io/program.ts';

/** The scheduler of the daily run: `none` means cron or a container. */
export const Forge = z.enum(['github', 'gitlab', 'none']);
export type Forge = z.infer<typeof Forge>;

/** A file of a new index. */
export interface StarterFile {
  /** Absolute. */
  readonly path: string;
  readonly content: string;
  /** It configures the forge, and is the same in every index. */
  readonly isOfForge: boolean;
}

interface StarterInput {
  /** The folder of the index, absolute; may be missing. */
  readonly folder: string;
  readonly forge: Forge;
  readonly host: Host;
  readonly env: NodeJS.ProcessEnv;
  /** Replacements for further words in the files. */
  readonly values?: Readonly<Record<string, string>>;
  /** Whether the workflows that an index calls are files of its own. */
  readonly isVendored?: boolean;
}

/**
 * The files of a new index, by path. The starter has `dot-` for a dot at the start of a name, since npm omits some such files from
 * packages. Files in a folder `forge-…` go to the root of the repository, where forges read them.
 */
export function starterFiles({
  folder,
  forge,
  host,
  env,
  values = {},
  isVendored: isVendoredIn,
}: StarterInput): StarterFile[] {
  const starter = join(programFolder, 'site', 'starter');
  const top = repositoryOf(folder, env) ?? folder;
  const words: Readonly<Record<string, string>> = {
    'OWNER/REPOSITORY': programRepository(),
    VERSION: programVersion(),
    INDEX_FOLDER: relative(top, folder).replaceAll(sep, '/') || '.',
    WRANGLER: wantedWrangler(),
    ...values,
  };
  const pattern = new RegExp(Object.keys(words).join('|'), 'g');
  const entries = readdirSync(starter, { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry) => {
    if (!entry.isFile()) return [];
    const source = join(entry.parentPath, entry.name);
    const name = relative(starter, source).replaceAll(sep, '/');
    const [, kind, ofForge] = /^forge-(\w+)\/(.+)$/.exec(name) ?? [];
    if (kind !== undefined && kind !== 'any' && kind !== forge) return [];
    const wanted = join(kind ? top : folder, (ofForge ?? name).replaceAll(/(^|\/)dot-/g, '$1.'));
    const isOfForge = kind === forge;
    const path = isOfForge && isOfOthers(wanted) ? besides(wanted) : wanted;
    const content = readFileSync(source, 'utf8').replaceAll(pattern, (word) => words[word]!);
    return [{ path, content: host === 'cloudflare' ? content : withoutCloudflare(name, content), isOfForge }];
  });
  const isVendored = isVendoredIn ?? !isAbsent(join(top, vendoredPath('workflows/daily.yml')));
  const all = isVendored && forge === 'github' ? vendored(files, top) : files;
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The forge files of an existing index, as this version would write them. */
export function currentFiles(input: StarterInput): StarterFile[] {
  return starterFiles(input).filter(({ isOfForge }) => isOfForge);
}

const called = ['workflows/daily.yml', 'workflows/publish.yml', 'workflows/pages.yml'];
const action = ['actions/release-index/action.yml', 'actions/release-index/run.sh'];

function vendoredPath(path: string): string {
  return join('.github', path.replace(/^workflows\//, 'workflows/release-index-'));
}

/** The workflows and the action of this project as files of an index, for organisations that forbid workflows of others. */
function vendored(files: readonly StarterFile[], top: string): StarterFile[] {
  const ours = `${programRepository()}/`;
  const calls = new RegExp(`(?:\\./|${ours})\\.github/(\\S+?)(?:@v\\S+)?$`, 'gm');
  const call = (_: string, path: string) => `./${vendoredPath(path)}`;
  const copies = [...called, ...action].map((path) => {
    const content = readFileSync(join(programFolder, '.github', path), 'utf8');
    // The workflow that "init" writes has the schedule.
    const callable = content.replace(/ {2}schedule:\n(?: {4,}.*\n)+ {2}workflow_dispatch:\n/, '');
    return { path: join(top, vendoredPath(path)), content: callable, isOfForge: true };
  });
  return [...files, ...copies].map((file) => ({ ...file, content: file.content.replaceAll(calls, call) }));
}

/** A copy of a forge file as last written. "init --update" finds your changes by it. */
export function writtenPath(folder: string, { path }: Pick<StarterFile, 'path'>): string {
  return join(folder, '.release-index', basename(path));
}

/** A forge file merged from the changes of this version and of a person since it was last written. */
export function mergeUpdate(file: StarterFile, folder: string): StarterFile & { isConflicting: boolean } {
  const before = writtenPath(folder, file);
  if (isAbsent(before) || isAbsent(file.path))
    return { ...file, content: withOwnChoices(file), isConflicting: false };
  const dir = mkdtempSync(join(tmpdir(), 'release-index-merge-'));
  try {
    const wanted = join(dir, 'this version');
    writeFileSync(wanted, file.content);
    const args = ['merge-file', '-p', '-L', 'yours', '-L', 'before', '-L', 'this version'];
    const merge = spawnSync('git', [...args, file.path, before, wanted], { encoding: 'utf8' });
    // The status is the number of conflicts.
    if (merge.status === null || merge.status > 127) throw merge.error ?? new Error(merge.stderr);
    return { ...file, content: merge.stdout, isConflicting: merge.status > 0 };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** The forge whose files an index has. */
export function forgeOf(input: Omit<StarterInput, 'forge'>): Forge | undefined {
  return Forge.options.find((forge) =>
    currentFiles({ ...input, forge }).some(({ path }) => readIfThere(path)?.includes('release-index')),
  );
}

/** The root of the repository that a folder is or will be in. */
export function repositoryOf(folder: string, env: NodeJS.ProcessEnv): string | undefined {
  const nearest = isAbsent(folder) ? dirname(folder) : folder;
  if (nearest !== folder) return repositoryOf(nearest, env);
  const up = askGit(openGit(folder, env), 'rev-parse', '--show-cdup');
  return up === undefined ? undefined : resolve(folder, up);
}

/** Keeps only schedule and runner, where no copy of the last written file exists. */
function withOwnChoices({ path, content }: StarterFile): string {
  const before = readIfThere(path)?.toString() ?? '';
  return content.replace(/cron: .*/, ownOr).replace(/runs-on: .*/, ownOr);

  function ownOr(ours: string): string {
    const [key] = ours.split(' ');
    return new RegExp(`${key} .*`).exec(before)?.[0] ?? ours;
  }
}

function isOfOthers(path: string): boolean {
  return !isAbsent(path) && readIfThere(path)?.includes('release-index') !== true;
}

/** `release-index-check.yml` for `check.yml`. */
function besides(path: string): string {
  const name = basename(path);
  return join(dirname(path), `release-index${name.startsWith('.') ? '' : '-'}${name}`);
}

/** Removes the secrets and the program that only Cloudflare needs. */
function withoutCloudflare(name: string, content: string): string {
  if (name !== 'package.json') return content.replaceAll(/^.*CLOUDFLARE_.*\n/gm, '');
  const { devDependencies: _, ...manifest } = JSON.parse(content) as Record<string, object>;
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** The changes of a file as git shows them; empty without changes. */
export function diffOf({ path, content }: StarterFile, top: string): string {
  const name = relative(top, path);
  const before = isAbsent(path) ? '/dev/null' : name;
  const args = ['diff', '--no-index', '--no-color', '--no-ext-diff', '--', before, '-'];
  const { stdout } = spawnSync('git', args, { cwd: top, input: content, encoding: 'utf8' });
  // Git calls standard input "-".
  return stdout.replaceAll(/(?<=^(?:diff --git|\+\+\+) .*[ab]\/)-(?= |$)/gm, name);
}
