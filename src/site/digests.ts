import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { oldestFirst } from '../core/model/dates.ts';
import { inputError } from '../core/schemas/finding.ts';
import { quote } from '../core/text/foreign-text.ts';
import { formatList } from '../core/text/wording.ts';
import { sha256 } from '../io/files/file-system.ts';
import { fillPath, statementsPath } from './render/paths.ts';

/** Whether `SHA256SUMS` omits a file: itself, and what signing adds, which is the signature and the statements about releases. */
export function isUnlisted(path: string, isListed: (path: string) => boolean): boolean {
  const component = /^statements\/([^/]+)\.ndjson$/.exec(path)?.[1];
  return (
    path === digestsFile ||
    path === signatureFile ||
    (component !== undefined && isListed(`details/${component}.json`))
  );
}

/**
 * The files that signing adds: the statements about the releases of each component, also under earlier names, and the
 * signature of the list. Components without recorded digests have no statements.
 */
export function listSignedPaths(digests: Iterable<string>): string[] {
  const paths = listDescribedComponents(digests).map((name) => fillPath(statementsPath, name));
  return [...paths, signatureFile];
}

/** The components of a site and their earlier names, from the paths of its files. */
export function listDescribedComponents(paths: Iterable<string>): string[] {
  return Array.from(paths, (path) => /^details\/([^/]+)\.json$/.exec(path)?.[1]).filter(
    (name) => name !== undefined,
  );
}

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
  const paths = listForeignPaths(out, digests);
  if (paths.length === 0) {
    return digests;
  }

  const reason =
    digests.size > 0
      ? 'a build did not make'
      : `without the ${digestsFile} of a build, it is unknown who made`;
  throw inputError(
    '--out',
    `${out}: ${reason} ${formatList(paths, 5)}. Move it away, or choose another --out. Nothing was written.`,
  );
}

function readListedFiles(out: string): ReadonlyMap<string, string> {
  const path = join(out, digestsFile);
  if (!existsSync(path)) {
    return new Map();
  }

  try {
    const text = readFileSync(path, 'utf8');
    const digests = parseDigests(text);
    if (!requiredFiles.every((file) => digests.has(file))) {
      return new Map();
    }

    return digests.set(digestsFile, sha256(text));
  } catch {
    // Not a list from a build, so all files are foreign.
    return new Map();
  }
}

/** Names a foreign folder as a whole without searching it, since it may be large. */
function listForeignPaths(out: string, digests: ReadonlyMap<string, string>): string[] {
  const folders = new Set(
    [...digests.keys(), ...listSignedPaths(digests.keys())].flatMap(listFolders),
  );
  const isListed = (path: string) => digests.has(path);
  const isOwn = (path: string) =>
    isListed(path) || (digests.size > 0 && isUnlisted(path, isListed));

  return walk('');

  function walk(folder: string): string[] {
    const entries = readdirSync(join(out, folder), { withFileTypes: true });

    return entries.flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      if (!entry.isDirectory()) {
        return isOwn(path) ? [] : [path];
      }
      if (folders.has(`${path}/`)) {
        return walk(`${path}/`);
      }

      return readdirSync(join(out, path)).length > 0 ? [`${path}/`] : [];
    });
  }
}

function listFolders(path: string): string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1));
}

/** The digests of files, by path. */
export type Digests = ReadonlyMap<string, string>;

export const digestsFile = 'SHA256SUMS';
export const signatureFile = `${digestsFile}.minisig`;

/** In the format of sha256sum(1): digest, two spaces, path; sorted by path. */
export function formatDigests(digests: Digests): string {
  return [...digests]
    .sort(([a], [b]) => oldestFirst(a, b))
    .map(([path, digest]) => `${digest}  ${path}\n`)
    .join('');
}

/**
 * Parses an untrusted list. Throws the error from `reject` if a line is malformed, or if a path is listed twice or leads out of
 * the folder of the list.
 */
export function parseDigests(
  text: string,
  reject = (problem: string): Error => new Error(`${digestsFile}: ${problem}`),
): Map<string, string> {
  const digests = new Map<string, string>();

  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') {
      continue;
    }

    const match = /^([0-9a-f]{64}) [ *](.+)$/.exec(line);
    if (!match) {
      throw reject(`line ${index + 1}: expected a digest and a path; got ${quote(line)}`);
    }

    const [, digest, path] = match as unknown as [string, string, string];
    const rejectPath = (complaint: string) =>
      reject(`line ${index + 1}: ${quote(path)} ${complaint}`);
    if (
      /[\p{Cc}\\]|^\/|^[A-Za-z]:/u.test(path) ||
      path.split('/').some((part) => /^\.{0,2}$/.test(part))
    ) {
      throw rejectPath('is not a path below the folder of the list');
    }

    if (digests.has(path)) {
      throw rejectPath('is listed a second time');
    }

    digests.set(path, digest);
  }

  return digests;
}
