import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inputError } from '../core/schemas/finding.ts';
import { formatList } from '../core/text/wording.ts';
import { sha256 } from '../io/files/file-system.ts';
import { digestsFile, isUnlisted, listSignedPaths, parseDigests, type Digests } from './digests.ts';

/** Files that every site has: a list of digests without them belongs to something else. */
const requiredFiles = ['index.json', 'all.json', 'status.json'];

/**
 * The files of an earlier build, with their digests, from its own list. Throws an InputError if there are other files. Without the list,
 * every file is foreign.
 */
export function readEarlierFiles(out: string): Digests {
  const stats = statSync(out, { throwIfNoEntry: false });
  if (!stats) {
    return new Map();
  }
  if (!stats.isDirectory()) {
    throw inputError('--out', `${out} is a file. Choose another --out. Nothing was written.`);
  }

  const digests = readListedFiles(out);
  const foreignPaths = listForeignPaths(out, digests);
  if (foreignPaths.length === 0) {
    return digests;
  }

  const reason =
    digests.size > 0
      ? 'a build did not make'
      : `without the ${digestsFile} of a build, it is unknown who made`;
  throw inputError(
    '--out',
    `${out}: ${reason} ${formatList(foreignPaths, 5)}. Move it away, or choose another --out. Nothing was written.`,
  );
}

function readListedFiles(out: string): Digests {
  const path = join(out, digestsFile);
  if (!existsSync(path)) {
    return new Map();
  }

  try {
    const text = readFileSync(path, 'utf8');
    const digests = parseDigests(text);
    const isOfSite = requiredFiles.every((file) => digests.has(file));
    return isOfSite ? digests.set(digestsFile, sha256(text)) : new Map();
  } catch {
    // Not a list from a build, so all files are foreign.
    return new Map();
  }
}

/** Names a foreign folder as a whole without searching it, since it may be large. */
function listForeignPaths(out: string, digests: Digests): string[] {
  const ownPaths = [...digests.keys(), ...listSignedPaths(digests.keys())];
  const ownFolders = new Set(ownPaths.flatMap(listFolders));
  const isListed = (path: string) => digests.has(path);
  const isOwn = (path: string) =>
    isListed(path) || (digests.size > 0 && isUnlisted(path, isListed));

  return listBelow('');

  function listBelow(folder: string): string[] {
    const foreign: string[] = [];
    for (const entry of readdirSync(join(out, folder), { withFileTypes: true })) {
      const path = `${folder}${entry.name}`;
      if (!entry.isDirectory()) {
        if (!isOwn(path)) {
          foreign.push(path);
        }
      } else if (ownFolders.has(`${path}/`)) {
        foreign.push(...listBelow(`${path}/`));
      } else if (readdirSync(join(out, path)).length > 0) {
        foreign.push(`${path}/`);
      }
    }
    return foreign;
  }
}

/** `changes/` of `changes/2026.json`. */
function listFolders(path: string): string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1));
}
