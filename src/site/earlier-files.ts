import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inputError } from '../core/schemas/finding.ts';
import { formatList } from '../core/text/wording.ts';
import { sha256 } from '../io/files/file-system.ts';
import { digestsFile, listSignedPaths, parseDigests, type Digests } from './digests.ts';

/** Files that every site has: a list of digests without them belongs to something else. */
const requiredFiles = ['index.json', 'all.json', 'status.json'];

/** The files of an earlier build, with the digests in its list. Throws an InputError if a file is not of this build. */
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
    // A list that cannot be read is of no build, so all files are foreign.
    return new Map();
  }
}

/** Names a foreign folder as a whole without searching it, since it may be large. */
function listForeignPaths(out: string, digests: Digests): string[] {
  const ownPaths = new Set(digests.keys());
  if (digests.size > 0) {
    listSignedPaths(digests.keys()).forEach((path) => ownPaths.add(path));
  }
  const ownFolders = new Set([...ownPaths].flatMap(listFolders));

  return listBelow('');

  function listBelow(folder: string): string[] {
    const foreignPaths: string[] = [];
    for (const entry of readdirSync(join(out, folder), { withFileTypes: true })) {
      const path = `${folder}${entry.name}`;
      if (!entry.isDirectory()) {
        if (!ownPaths.has(path)) {
          foreignPaths.push(path);
        }
      } else if (ownFolders.has(`${path}/`)) {
        foreignPaths.push(...listBelow(`${path}/`));
      } else if (readdirSync(join(out, path)).length > 0) {
        foreignPaths.push(`${path}/`);
      }
    }
    return foreignPaths;
  }
}

/** `changes/` of `changes/2026.json`. */
function listFolders(path: string): string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1));
}
