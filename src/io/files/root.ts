import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findNameProblem } from '../../core/schemas/definition/component-name.ts';
import { fileProblem, InputError, type Finding } from '../../core/schemas/finding.ts';
import { isAbsent } from './file-system.ts';
import { saveIfChanged } from './save.ts';

/** A folder with `components/` and `data/`, and perhaps `site/`. */
export interface Root {
  dir: string;
  /** The folder of `site.json`. */
  siteDir: string;
  /** The folders of templates, snippets, assets and policies. A file in a later folder replaces its namesake in earlier ones. */
  siteDirs: readonly string[];
  /** The last good files of components that wait, which replace the present ones. */
  lastGood?: ReadonlyMap<string, LastGoodFiles>;
  /** Components whose files are unusable, without last good ones. */
  leftOut?: ReadonlySet<string>;
}

/** `definition`: with the defaults of `site.json`; `data`: releases and freshness. */
export type FilePart = 'definition' | 'data' | 'journal';

/** Copies of a component's last good files. */
export interface LastGoodFiles {
  folder: string;
  /** The parts that replace the present files. */
  parts: ReadonlySet<FilePart>;
}

/** Whether its files are unusable, and no last good files replace them. */
export function isLeftOut({ leftOut }: Root, component: string): boolean {
  return leftOut?.has(component) === true;
}

/** Whether runs may write this part of a component: they never write over a person's edit. */
export function isWritable({ lastGood }: Root, component: string, part: FilePart): boolean {
  return lastGood?.get(component)?.parts.has(part) !== true;
}

/** The folder with the valid files of a component: the last good ones, or the present ones. */
export function findPartFolder({ dir, lastGood }: Root, component: string, part: FilePart): string {
  const files = lastGood?.get(component);
  return files?.parts.has(part) ? files.folder : dir;
}

/** A root may have its own `site/` with some templates and assets; the folder of the program supplies the others. */
export function openRoot(dir: string, programFolder: string): Root {
  const sharedSite = join(programFolder, 'site');
  const ownSite = join(dir, 'site');
  const siteDir = isAbsent(ownSite) ? sharedSite : ownSite;
  return { dir, siteDir, siteDirs: [...new Set([sharedSite, siteDir])] };
}

/** The files of a part of `site/`, sorted: no output depends on the file system's order. */
export function listSiteFiles(
  { siteDirs }: Root,
  part: 'templates' | 'snippets' | 'assets' | 'policies',
): [name: string, path: string][] {
  const files = new Map<string, string>();
  for (const siteDir of siteDirs) {
    const folder = join(siteDir, part);
    const entries = isAbsent(folder) ? [] : readdirSync(folder, { withFileTypes: true });
    for (const entry of entries) {
      if (entry.isFile() && !entry.name.startsWith('.')) {
        files.set(entry.name, join(folder, entry.name));
      }
    }
  }
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The sorted names of the components, with removed ones that wait, and without those left out; and findings about misnamed files. */
export function listComponents(root: Root): { names: string[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const names: string[] = [];
  const folder = join(root.dir, 'components');
  if (isAbsent(folder)) {
    const message = `no such folder in ${root.dir}. Is --root right? A new index begins with: npx release-index init`;
    return { names, findings: [fileProblem('components', message)] };
  }

  // A removed component stays until a person accepts its removal.
  const removedFiles = Array.from(root.lastGood?.keys() ?? [], (name) => `${name}.json`);
  const entries = new Set([...readdirSync(folder), ...removedFiles]);

  for (const entry of entries) {
    const name = entry.replace(/\.json$/, '');
    if (entry.startsWith('.') || isLeftOut(root, name)) {
      continue;
    }

    const problem = entry.endsWith('.json')
      ? findNameProblem(name)
      : 'expected a file <component>.json; remove or rename it';
    if (problem === undefined) {
      names.push(name);
    } else {
      findings.push(fileProblem(`components/${entry}`, problem));
    }
  }

  return { names: names.sort(), findings };
}

/** A link in an index: its target could be any file of the computer. */
export const linkProblem =
  'is a link, which may lead out of the index. Put the files themselves there';

/** A path in the cache folder, which may be absent. Throws an `InputError` if the folder is a link. */
export function cachePath({ dir }: Root, name: string): string {
  const folder = join(dir, '.cache');
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new InputError([fileProblem('.cache', linkProblem)]);
  }

  return join(folder, name);
}

/** Makes the cache folder, if absent. It may be deleted at any time: the next run fills it again. git ignores it. */
export function openCacheFolder(root: Root): string {
  const ignoreFile = cachePath(root, '.gitignore');
  // Whole or not at all: with an empty file after a full disk, git would not ignore the folder.
  saveIfChanged(ignoreFile, '*\n');

  return dirname(ignoreFile);
}

export function definitionPath(root: Root, component: string): string {
  return join(findPartFolder(root, component, 'definition'), definitionFile(component));
}

/** `data/`, or a folder in it. */
export function recordedFolder(
  root: Root,
  part: 'freshness' | 'journal' | 'runs' | 'statements' | '' = '',
): string {
  return join(root.dir, 'data', part);
}

// The names of files in messages, which are their paths in an index.

export const decisionsFile = 'data/decisions.ndjson';
export const heldFile = 'data/held.json';

export function definitionFile(component: string): string {
  return `components/${component}.json`;
}

export function recordedFile(component: string): string {
  return `data/${component}.json`;
}

export function freshnessFile(component: string): string {
  return `data/freshness/${component}.json`;
}

export function journalFile(component: string): string {
  return `data/journal/${component}.ndjson`;
}

export function statementsFile(component: string): string {
  return `data/statements/${component}.ndjson`;
}

/** All files of a component, whether they exist or not. */
export function listComponentFiles(component: string): string[] {
  return [
    definitionFile(component),
    recordedFile(component),
    freshnessFile(component),
    journalFile(component),
    statementsFile(component),
  ];
}

export function runsFile(year: string): string {
  return `data/runs/${year}.ndjson`;
}

export function recordedPath(root: Root, component: string): string {
  return join(findPartFolder(root, component, 'data'), recordedFile(component));
}

export function freshnessPath(root: Root, component: string): string {
  return join(findPartFolder(root, component, 'data'), freshnessFile(component));
}

export function journalPath(root: Root, component: string): string {
  return join(findPartFolder(root, component, 'journal'), journalFile(component));
}
