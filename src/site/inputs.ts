import { existsSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { explainFileError, readRegularFile, sha256 } from '../io/files/file-system.ts';
import { listSiteFiles, type Root } from '../io/files/root.ts';
import { stylesFolder } from './theme.ts';

/** Digest of all inputs of a build: roots with the same digest give the same site on the same day. */
export function digestInputs(root: Root): string {
  const lines = listFiles(root).map(([name, path]) => `${computeDigest(path)} ${name}\n`);
  return `sha256:${sha256(lines.join(''))}`;
}

/** Treats an unreadable file as absent: the stage that needs the file reports the reason. */
function computeDigest(path: string): string {
  try {
    return sha256(readRegularFile(path));
  } catch (error) {
    if (explainFileError(error) === undefined) {
      throw error;
    }

    return 'absent';
  }
}

/** The input files, each with a name relative to the root, sorted by folder and name. */
function listFiles(root: Root): [name: string, path: string][] {
  const { dir, siteDir } = root;

  return [
    // Every entry, since any other file in this folder is an error.
    ...listFilesIn(join(dir, 'components'), 'components', () => true),
    // Decisions do not affect the site.
    ...listFilesIn(
      join(dir, 'data'),
      'data',
      (entry) => isDocument(entry) && entry.name !== 'decisions.ndjson',
    ),
    ...['freshness', 'journal', 'runs'].flatMap((folder) =>
      listFilesIn(join(dir, 'data', folder), `data/${folder}`, isDocument),
    ),
    ...listFilesIn(siteDir, 'site'),
    ...listFilesIn(join(siteDir, 'statements'), 'site/statements'),
    ...listFilesIn(stylesFolder, 'site/styles'),
    ...(['templates', 'snippets', 'assets', 'policies'] as const).flatMap((part) =>
      listSiteFiles(root, part).map(([name, path]): [string, string] => [
        `site/${part}/${name}`,
        path,
      ]),
    ),
  ];
}

function listFilesIn(
  dir: string,
  name: string,
  isWanted: (entry: Dirent) => boolean = (entry) => entry.isFile(),
): [string, string][] {
  if (!existsSync(dir)) {
    return [];
  }

  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && isWanted(entry))
    .map((entry) => entry.name)
    .sort()
    .map((file) => [`${name}/${file}`, join(dir, file)]);
}

function isDocument(entry: Dirent): boolean {
  return !entry.isDirectory() && /\.(?:json|ndjson)$/.test(entry.name);
}
