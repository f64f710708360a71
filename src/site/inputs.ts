import { existsSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { fileErrorReason, readRegularFile } from '../io/files/file-system.ts';
import { siteFiles, type Root } from '../io/files/root.ts';
import { sha256 } from '../io/files/sha256.ts';

/** Digest of everything that is built from: roots with the same digest have the same site on the same day. */
export function digestInputs(root: Root): string {
  const lines = listFiles(root).map(([name, path]) => `${digestOf(path)} ${name}\n`);
  return `sha256:${sha256(lines.join(''))}`;
}

/** An unreadable file counts as absent here: the stage that needs it reports why. */
function digestOf(path: string): string {
  try {
    return sha256(readRegularFile(path));
  } catch (error) {
    if (fileErrorReason(error) === undefined) throw error;
    return 'absent';
  }
}

/** Each file with a name that does not depend on where the root is; sorted by folder and name. */
function listFiles(root: Root): [name: string, path: string][] {
  const { dir, siteDir } = root;
  return [
    // Every entry counts, because one that is not a definition is an error.
    ...filesIn(join(dir, 'components'), 'components', () => true),
    // Nothing is built from the decisions.
    ...filesIn(join(dir, 'data'), 'data', (entry) => isDocument(entry) && entry.name !== 'decisions.ndjson'),
    ...['freshness', 'journal', 'runs'].flatMap((folder) =>
      filesIn(join(dir, 'data', folder), `data/${folder}`, isDocument),
    ),
    ...filesIn(siteDir, 'site'),
    ...(['templates', 'snippets', 'assets', 'policies'] as const).flatMap((part) =>
      siteFiles(root, part).map(([name, path]): [string, string] => [`site/${part}/${name}`, path]),
    ),
  ];
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
  return !entry.isDirectory() && /\.(?:json|ndjson)$/.test(entry.name);
}
