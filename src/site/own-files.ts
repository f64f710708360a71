import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { digestsFile, parseDigests } from './digests.ts';

/** Files that the build does not list in `SHA256SUMS`, because they are about it. */
export const unlistedFiles: ReadonlySet<string> = new Set([digestsFile, `${digestsFile}.minisig`]);

/** Something in the output folder that no build made. Nothing was written. */
export class ForeignFilesError extends Error {
  override readonly name = 'ForeignFilesError';
}

/** Every site has them: a list of digests without them is about something else. */
const inEverySite = ['index.json', 'all.json', 'status.json'];

/**
 * The files an earlier build made, by its own list. Where that is lost, those that still are what a build remembers:
 * `unchanged` names them. Throws where anything else is among them.
 */
export function ownFiles(out: string, unchanged: () => readonly string[]): ReadonlySet<string> {
  const found = statSync(out, { throwIfNoEntry: false });
  if (!found) return new Set();
  if (!found.isDirectory())
    throw new ForeignFilesError(`${out} is a file. Choose another --out. Nothing was written.`);
  const listed = listedFiles(out);
  const own = listed.size > 0 ? listed : new Set(unchanged());
  const foreign = foreignPaths(out, own);
  if (foreign.length === 0) return own;
  const more = foreign.length > 5 ? ` and ${foreign.length - 5} more` : '';
  throw new ForeignFilesError(
    `${out}: no build made ${foreign.slice(0, 5).join(', ')}${more}. Move it away, or choose another --out. Nothing was written.`,
  );
}

function listedFiles(out: string): ReadonlySet<string> {
  const list = join(out, digestsFile);
  if (!existsSync(list)) return new Set();
  try {
    const digests = parseDigests(readFileSync(list, 'utf8'));
    return inEverySite.every((path) => digests.has(path)) ? new Set(digests.keys()) : new Set();
  } catch {
    // Not a list of ours, so that it vouches for nothing.
    return new Set();
  }
}

/** A folder without a file of ours is named as a whole and not looked through: it may be anything, of any size. */
function foreignPaths(out: string, own: ReadonlySet<string>): string[] {
  const known = new Set([...own].flatMap(foldersOf));
  const isOwn = (path: string) => own.has(path) || (own.size > 0 && unlistedFiles.has(path));
  return walk('');

  function walk(folder: string): string[] {
    const entries = readdirSync(join(out, folder), { withFileTypes: true });
    return entries.flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      if (!entry.isDirectory()) return isOwn(path) ? [] : [path];
      if (known.has(`${path}/`)) return walk(`${path}/`);
      return readdirSync(join(out, path)).length > 0 ? [`${path}/`] : [];
    });
  }
}

function foldersOf(path: string): string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1));
}

/** Paths of all that is in a site's folder but folders. */
export function filesOf(out: string): string[] {
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(out.length + 1)
        .replaceAll('\\', '/'),
    );
}
