import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isAbsent, makeFolder } from '../io/files/file-system.ts';

/**
 * The files that an index of one's own begins with, by path. Each of these words stands for its value in them. A name that
 * begins with a dot is written `dot-` there, since npm leaves some of those out of packages.
 */
export function starterFiles(
  starter: string,
  values: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const words = new RegExp(Object.keys(values).join('|'), 'g');
  const entries = readdirSync(starter, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    entries
      .map((entry): [string, string] => {
        const path = join(entry.parentPath, entry.name);
        const name = relative(starter, path)
          .split(sep)
          .join('/')
          .replaceAll(/(^|\/)dot-/g, '$1.');
        return [name, readFileSync(path, 'utf8').replaceAll(words, (word) => values[word]!)];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Writes all of them or, where one cannot be written, none. Never overwrites a file. */
export function writeNewFiles(folder: string, files: ReadonlyMap<string, string>): void {
  const written: string[] = [];
  const made: string[] = [];
  try {
    for (const [name, content] of files) {
      const path = join(folder, name);
      made.push(...missingFolders(dirname(path)));
      makeFolder(dirname(path));
      writeFileSync(path, content, { flag: 'wx' });
      written.push(path);
    }
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    for (const path of made.reverse()) removeIfEmpty(path);
    throw error;
  }
}

/** The outermost first. */
function missingFolders(path: string): string[] {
  return isAbsent(path) ? [...missingFolders(dirname(path)), path] : [];
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody else has put something into it, or it was never made.
  }
}
