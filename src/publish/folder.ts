/** Publishes a site into the folder of a server. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { asWarnings, inputError, readProblems, type Problem } from '../core/errors.ts';
import { listFiles, readIfThere, saveFile, sha256 } from '../core/files.ts';
import {
  digestsFile,
  isUnlisted,
  parseDigests,
  signatureFile,
  type Digests,
} from '../core/sha256sums.ts';
import { formatCount, formatList } from '../core/text.ts';

/** Throws an `InputError` if a site must not be copied into a folder. */
export function checkTarget(to: string, out: string): void {
  const places = [out, to].map((each) => (existsSync(each) ? realpathSync(each) : resolve(each)));
  if (!relative(places[0]!, places[1]!).startsWith('..')) {
    throw inputError(
      to,
      'is inside the folder of the built site. Nothing was sent. Name another folder',
    );
  }
  // If the folder contains other files, its name may be mistyped.
  if (existsSync(to) && readdirSync(to).length > 0 && !existsSync(join(to, digestsFile))) {
    throw inputError(
      to,
      'has files, and is not the site of an index. Nothing was sent. Name an empty folder',
    );
  }
}

/**
 * Copies new and changed files, then removes old files. Returns warnings.
 * - Each file is copied as a whole, and gets the read permissions of the folder.
 * - Documents of the whole index are copied after the files that they name. `SHA256SUMS` is copied last.
 * - If a publication is killed, the old `SHA256SUMS` stays. The next publication removes the files that only the old `SHA256SUMS` lists.
 */
export function copySite(out: string, to: string, digests: Digests): Problem[] {
  const closed = createFolder(to);
  const former = readFormer(to);
  // An empty `SHA256SUMS` marks the folder as the site of an index, even if the first copy is killed.
  if (former?.size === 0) {
    saveFile(join(to, digestsFile), '');
  }

  const files = [...digests].sort(([a], [b]) => rankPath(a, digests) - rankPath(b, digests));
  for (const [path, digest] of files) {
    copyFile(out, to, path, digest);
    closed.push(...openToReaders(to, path));
  }

  const isNew = (path: string) => digests.has(path) || isUnlisted(path);
  const left: string[] = [];
  for (const { path } of listFiles(to).filter((file) => !isNew(file.path))) {
    // A killed publication may leave parts of files. A part's name begins with the name of its file.
    const name = path.replace(/\.\d+\.part$/, '');
    if (former?.has(name) || (name !== path && isNew(name))) {
      rmSync(join(to, path));
    } else {
      left.push(path);
    }
  }

  // The signature is removed while the list is replaced, because a wrong signature is worse than a missing signature.
  rmSync(join(to, signatureFile), { force: true });
  for (const path of [digestsFile, signatureFile].filter((name) => existsSync(join(out, name)))) {
    copyFile(out, to, path);
    closed.push(...openToReaders(to, path));
  }
  return [...describeLeft(to, former ? [] : left), ...describeClosed(to, closed)];
}

/**
 * Warns about files that may belong to the former site. They are not removed, because without the former `SHA256SUMS` nobody knows which
 * files belong to the former site.
 */
function describeLeft(to: string, left: readonly string[]): Problem[] {
  const count = formatCount(left.length, 'file');
  const message = `has ${count} that the new SHA256SUMS does not list, and the former SHA256SUMS could not be read: ${formatList(left, 20)}. Remove the files of the former site`;
  return left.length > 0 ? asWarnings([{ subject: to, message }]) : [];
}

/** Warns about files and folders whose modes this user may not change. */
function describeClosed(to: string, closed: readonly string[]): Problem[] {
  const paths = [...new Set(closed)];
  const count = formatCount(paths.length, 'path');
  const message = `has ${count} that the server may be unable to read, and whose mode this user may not change: ${formatList(paths, 5)}. Let the owner run: chmod -R go+rX ${to}`;
  return paths.length > 0 ? asWarnings([{ subject: to, message }]) : [];
}

/**
 * Creates the folder of a site, and missing folders above it. They get the read permissions of the folder that contains them. Returns the
 * paths that could not be changed.
 */
function createFolder(to: string): string[] {
  const first = mkdirSync(to, { recursive: true });
  const above = first === undefined ? undefined : dirname(first);
  return above === undefined ? [] : openToReaders(above, relative(above, resolve(to)));
}

/**
 * Gives a file and each folder on its path the read permissions of the folder above it. A server may run as another user. Never removes a
 * permission. Returns the paths that could not be changed. Example: in a folder with mode 750, a file's mode 600 → 640
 */
function openToReaders(folder: string, path: string): string[] {
  const parts = path.split('/');
  return parts.flatMap((_, position) => {
    const place = join(folder, ...parts.slice(0, position + 1));
    const entry = statSync(place);
    const readable = statSync(dirname(place)).mode & (entry.isDirectory() ? 0o055 : 0o044);
    if ((entry.mode & readable) === readable) {
      return [];
    }

    try {
      chmodSync(place, (entry.mode & 0o7777) | readable);
      return [];
    } catch {
      return [place];
    }
  });
}

/** Reads `SHA256SUMS` of the site in a folder. Empty if the file does not exist, undefined if it cannot be read. */
function readFormer(to: string): Digests | undefined {
  const text = readIfThere(join(to, digestsFile))?.toString() ?? '';
  try {
    return parseDigests(text);
  } catch (error) {
    readProblems(error);
    return undefined;
  }
}

function copyFile(out: string, to: string, path: string, digest?: string): void {
  const bytes = readFileSync(join(out, path));
  if (digest !== undefined && sha256(bytes) !== digest) {
    throw inputError(path, 'was changed during the publication. Build again, and publish again');
  }

  saveFile(join(to, path), bytes);
}

/**
 * Returns the rank of a file in the order of copying, so that files are copied before documents that name them:
 * - 0: files in folders
 * - 1: files with the name of a component, such as `svc.json`
 * - 2: files of the whole index
 */
function rankPath(path: string, digests: Digests): number {
  if (path.includes('/')) {
    return 0;
  }
  return digests.has(`details/${path.replace(/\.\w+$/, '')}.json`) ? 1 : 2;
}
