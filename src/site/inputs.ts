import { existsSync, readdirSync, type Dirent } from 'node:fs';
import { basename, join } from 'node:path';
import { expectFileError, readRegularFile, sha256 } from '../io/files/file-system.ts';
import { decisionsFile, heldFile, listSiteFiles, type Root } from '../io/files/root.ts';
import { stylesFolder } from './theme.ts';

/**
 * Digest of the files that decide what a site says: with the same digest, the same program gives the same site on the same day.
 * Components that wait are built from commits that the files of runs name.
 */
export function digestInputs(root: Root): string {
  const lines = listFiles(root).map(([name, path]) => `${computeDigest(path)} ${name}\n`);
  return `sha256:${sha256(lines.join(''))}`;
}

/** Treats an unreadable file as absent: the stage that needs the file reports the reason. */
function computeDigest(path: string): string {
  try {
    return sha256(readRegularFile(path));
  } catch (error) {
    expectFileError(error);
    return 'absent';
  }
}

/** The input files, each with a name relative to the root, in a fixed order of folders, each sorted by name. */
function listFiles(root: Root): [name: string, path: string][] {
  const files = [
    // Every entry, since any other file in this folder is an error.
    ...listFolder('components', join(root.dir, 'components'), () => true),
    ...dataFolders.flatMap((name) => listFolder(name, join(root.dir, name), isDocument)),
    ...listFolder('site', root.siteDir),
    ...listFolder('site/statements', join(root.siteDir, 'statements')),
    ...listFolder('site/styles', stylesFolder),
  ];
  for (const part of ['templates', 'snippets', 'assets', 'policies'] as const) {
    for (const [name, path] of listSiteFiles(root, part)) {
      files.push([`site/${part}/${name}`, path]);
    }
  }
  return files;
}

const dataFolders = ['data', 'data/freshness', 'data/journal', 'data/runs'];

/** The inputs of a folder, by default all of its files; none if there is no such folder. */
function listFolder(
  name: string,
  path: string,
  isInput = (entry: Dirent) => entry.isFile(),
): [name: string, path: string][] {
  const entries = existsSync(path) ? readdirSync(path, { withFileTypes: true }) : [];
  const inputs = entries.filter((entry) => !entry.name.startsWith('.') && isInput(entry));
  const names = inputs.map((entry) => entry.name).sort();
  return names.map((file) => [`${name}/${file}`, join(path, file)]);
}

/** Files that people and later runs write after a build, and that the site does not show. */
const otherFiles = [decisionsFile, heldFile].map((file) => basename(file));

/** A JSON or NDJSON file that the site depends on. */
function isDocument(entry: Dirent): boolean {
  const { name } = entry;
  return !entry.isDirectory() && /\.(?:json|ndjson)$/.test(name) && !otherFiles.includes(name);
}
