/** Reads and writes files. Each file is replaced as a whole, so a reader sees either the old file or the new file. */
import { load, type YAMLException } from 'js-yaml';
import { hash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inputError } from './errors.ts';
import { parseJson } from './parse-document.ts';

export function sha256(bytes: string | Uint8Array): string {
  return hash('sha256', bytes);
}

/**
 * Reads a file. Undefined if it does not exist. Throws an `InputError` for a folder or a device, because reading a device may never end.
 */
export function readIfThere(path: string, subject = path): Buffer | undefined {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry && !entry.isFile()) {
    const kind = entry.isDirectory() ? 'folder' : 'device';
    throw inputError(subject, `expected a file; got a ${kind}`);
  }

  return entry && readFileSync(path);
}

/** Reads a file that a person names. It may be a pipe, such as `<(npm sbom)` in a shell. Throws an `InputError` if it does not exist. */
export function readNamedFile(path: string): Buffer {
  const isPipe = statSync(path, { throwIfNoEntry: false })?.isFIFO();
  const bytes = isPipe ? readFileSync(path) : readIfThere(path);
  if (bytes === undefined) {
    throw inputError(path, 'no such file or directory');
  }

  return bytes;
}

/**
 * Reads a JSON file that a person writes. Undefined if it does not exist. Throws an `InputError` if it is not JSON, or if an object in it
 * has a key twice. `JSON.parse` would use the last value of such a key. Git merges two additions of a key without a conflict.
 */
export function readJsonFile(path: string, subject = path): unknown {
  const text = readIfThere(path, subject)?.toString();
  if (text === undefined) {
    return undefined;
  }

  const document = parseJson(text, subject);
  rejectRepeatedKey(text, subject);
  return document;
}

/** Throws an `InputError` if an object has a key twice. `text`: valid JSON. JSON is a subset of YAML, in which keys must be unique. */
function rejectRepeatedKey(text: string, subject: string): void {
  try {
    load(text);
  } catch (error) {
    const { reason, mark } = error as YAMLException;
    if (reason === 'duplicated mapping key' && mark) {
      const [, key] = /^"?((?:[^"\\]|\\.)*)/.exec(text.slice(mark.position))!;
      throw inputError(
        subject,
        `has the key "${key}" twice, the second time on line ${mark.line + 1}`,
      );
    }
  }
}

/**
 * Writes a file, and returns true. If the file already has the same content, does nothing, and returns false. `mode`: the new mode of the
 * file. By default, an existing file keeps its mode.
 */
export function saveFile(path: string, body: string | Uint8Array, mode?: number): boolean {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (readIfThere(path)?.equals(bytes)) {
    return false;
  }

  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  const kept = mode ?? statSync(path, { throwIfNoEntry: false })?.mode;
  try {
    // Flushes the new file to the disk before the renaming, so that a crash leaves no incomplete file.
    writeFileSync(part, bytes, { flush: true, mode: kept });
    if (kept !== undefined) {
      chmodSync(part, kept);
    }
    renameSync(part, path);
  } catch (error) {
    // If the disk is full, Node's error lacks the path, because the write knows only the file descriptor.
    (error as NodeJS.ErrnoException).path ??= path;
    throw error;
  } finally {
    rmSync(part, { force: true });
  }
  return true;
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Matches the names of files that file managers leave in every folder that somebody opens (litter). */
const litter = /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i;

interface FolderEntry {
  path: string;
  isLink: boolean;
}

/**
 * Lists the paths of all files and links below a folder, sorted. Leaves out the files of file managers (see `litter`). Does not follow
 * links.
 * - `only`: the names of entries at the top of the folder. Other entries there are not read.
 */
export function listFiles(folder: string, only?: readonly string[]): FolderEntry[] {
  return listEntries(folder, only).filter((entry) => !isLitter(entry));
}

/** Lists the paths of the files that `listFiles` leaves out. */
export function listLitter(folder: string): string[] {
  const entries = listEntries(folder).filter(isLitter);
  return entries.map(({ path }) => path);
}

/** Tells whether an entry is a file that a file manager left. False for folders and links, whatever their names. */
function isLitter({ path, isLink }: FolderEntry): boolean {
  return !isLink && litter.test(basename(path));
}

function listEntries(folder: string, only?: readonly string[]): FolderEntry[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => only?.includes(name) ?? true)
    .flatMap((entry): FolderEntry[] => {
      const { name } = entry;
      return entry.isDirectory()
        ? listEntries(join(folder, name)).map((file) => ({ ...file, path: `${name}/${file.path}` }))
        : [{ path: name, isLink: entry.isSymbolicLink() }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
