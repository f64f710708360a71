/** Lists the files of an index. An index must not contain symbolic links. */
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Problem, throwAll } from './errors.ts';
import { listFiles } from './files.ts';

/** The files and folders at the top of an index. */
const ownEntries = ['.gitattributes', '.gitignore', 'components', 'data', 'program', 'site'];
/** Folders in which the CLI keeps its own files. */
export const keptEntries = ['.access', '.cache'];

/**
 * Lists the paths of all files of an index. Throws an `InputError` for symbolic links, because their targets would be published, replaced
 * or deleted.
 */
export function listIndexFiles(root: string): string[] {
  const entries = existsSync(root) ? listFiles(root, [...ownEntries, ...keptEntries]) : [];
  // `readDefinitions` reports each link below `components/` as a problem of its component.
  const links = entries.filter(({ path, isLink }) => isLink && !path.startsWith('components/'));
  throwAll(listLinkProblems(links.map(({ path }) => path)));
  return entries
    .filter(({ path, isLink }) => !isLink && !keptEntries.includes(path.split('/')[0]!))
    .map(({ path }) => path);
}

export const isLinkMessage = 'is a symbolic link. Put the file itself there';

export function listLinkProblems(paths: readonly string[]): Problem[] {
  return paths.map((subject) => ({ subject, message: isLinkMessage }));
}

/** Lists the paths of the symbolic links below `components/`. */
export function listLinks(root: string): string[] {
  const files = existsSync(root) ? listFiles(root, ['components']) : [];
  return files.filter(({ isLink }) => isLink).map(({ path }) => path);
}

/** Lists the names of the JSON files in a folder, sorted, without the extension `.json`. */
export function listNames(folder: string): string[] {
  return globSync('*.json', { cwd: folder })
    .map((file) => basename(file, '.json'))
    .sort();
}

/** Tells whether a component has recorded data. If not, its sources were never asked, and it was never published. */
export function isRecorded(root: string, name: string): boolean {
  return existsSync(join(root, `data/${name}.json`));
}
