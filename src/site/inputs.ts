import { existsSync, readdirSync, readFileSync, type Dirent } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Root } from '../store/root.ts';
import { sha256 } from '../store/sha256.ts';
import { fileRefusal } from '../store/file-refusal.ts';
import { stampFile, type Stamp, type StampedFile, type Stamps } from '../store/stamps.ts';

/** The files that a site is built from, each read at most once, and only where what is remembered of it does not hold. */
export interface Inputs {
  /** Digest of definitions, recorded data and the site's own files: two checkouts with the same build the same site for the same day. */
  digest(): string;
  /** Digest of what every file of the site is made with: templates, assets, configuration, and this program. */
  digestShared(): string;
  /** Digest of what a component is made from. */
  digestOf(component: string): string;
  /** The bytes of a file; those that were just read for a digest are not read again. */
  read(path: string): Uint8Array;
  /** Of all files looked at. */
  stamps(): Stamps;
}

export function digestInputs(root: Root): string {
  return openInputs(root).digest();
}

export function openInputs(root: Root, known: Stamps = {}): Inputs {
  const files = listFiles(root);
  const names = {
    all: [...files.keys()],
    site: [...files.keys()].filter((name) => name.startsWith('site/')),
  };
  const program = programFiles();
  const stamps: Record<string, Stamp> = {};
  const lately = new Map<string, Uint8Array>();

  return {
    digest: () => `sha256:${digestNames(names.all, files)}`,
    digestShared: () => digestNames(names.site, files) + digestNames([...program.keys()], program),
    digestOf(component) {
      lately.clear();
      return digestNames(componentFiles(component), files);
    },
    read: (path) => lately.get(path) ?? readFileSync(path),
    stamps: () => stamps,
  };

  function digestNames(wanted: readonly string[], paths: ReadonlyMap<string, string>): string {
    return sha256(wanted.map((name) => `${stampOf(name, paths.get(name)) ?? 'absent'} ${name}\n`).join(''));
  }

  function stampOf(name: string, path: string | undefined): string | undefined {
    const done = stamps[name];
    if (done || path === undefined) return done?.sha256;
    const file = lookAt(path, known[name]);
    if (!file) return undefined;
    stamps[name] = file.stamp;
    if (file.bytes) lately.set(path, file.bytes);
    return file.stamp.sha256;
  }
}

/** What cannot be read is as good as absent here; who needs it will say why. */
function lookAt(path: string, known: Stamp | undefined): StampedFile | undefined {
  try {
    return stampFile(path, known);
  } catch (error) {
    if (fileRefusal(error) === undefined) throw error;
    return undefined;
  }
}

function componentFiles(component: string): string[] {
  return ['components', 'data', 'data/freshness'].map((folder) => `${folder}/${component}.json`);
}

/** Path of each file, by a name that does not depend on where the root is; sorted by folder and name. */
function listFiles({ dir, siteDir, templatesDir, assetsDir }: Root): Map<string, string> {
  return new Map([
    // Whatever lies here counts: what has no place among the definitions is an error.
    ...filesIn(join(dir, 'components'), 'components', () => true),
    ...filesIn(join(dir, 'data'), 'data', isDocument),
    ...filesIn(join(dir, 'data/freshness'), 'data/freshness', isDocument),
    ...filesIn(siteDir, 'site'),
    ...filesIn(templatesDir, 'site/templates'),
    ...filesIn(assetsDir, 'site/assets'),
  ]);
}

/** A program that was changed may make other files of the same data. */
function programFiles(): Map<string, string> {
  const source = dirname(import.meta.dirname);
  return new Map([
    ['program/package-lock.json', join(dirname(source), 'package-lock.json')],
    ...readdirSync(source, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [`program${path.slice(source.length)}`, path] as const),
  ]);
}

function filesIn(
  dir: string,
  name: string,
  isWanted: (entry: Dirent) => boolean = (entry) => entry.isFile(),
): [string, string][] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && isWanted(entry))
    .map((entry) => entry.name)
    .sort()
    .map((file) => [`${name}/${file}`, join(dir, file)]);
}

function isDocument(entry: Dirent): boolean {
  return entry.isFile() && entry.name.endsWith('.json');
}
