/** Files of this machine: each is at every instant the old one or the new one. */
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

/** Undefined if there is nothing. Throws an `InputError` for a folder, and for a device, which may have no end. */
export function readIfThere(path: string, subject = path): Buffer | undefined {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry && !entry.isFile()) {
    const kind = entry.isDirectory() ? 'folder' : 'device';
    throw inputError(subject, `expected a file; got a ${kind}`);
  }

  return entry && readFileSync(path);
}

/** A file that a person names, perhaps the output of a command as the shell hands it over. Throws an `InputError` if there is none. */
export function readNamedFile(path: string): Buffer {
  const isPipe = statSync(path, { throwIfNoEntry: false })?.isFIFO();
  const bytes = isPipe ? readFileSync(path) : readIfThere(path);
  if (bytes === undefined) {
    throw inputError(path, 'no such file or directory');
  }

  return bytes;
}

/** Undefined if there is no file. Throws an `InputError` for a text that is no JSON. */
export function readJsonFile(path: string, subject = path): unknown {
  const text = readIfThere(path, subject)?.toString();
  return text === undefined ? undefined : parseJson(text, subject);
}

/** Replaces a file by a flushed new one of its mode, unless it is the same: a reader, or a crash, never sees a part. `mode`: another one. */
export function saveFile(path: string, body: string | Uint8Array, mode?: number): boolean {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (readIfThere(path)?.equals(bytes)) {
    return false;
  }

  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  const kept = mode ?? statSync(path, { throwIfNoEntry: false })?.mode;
  try {
    writeFileSync(part, bytes, { flush: true, mode: kept });
    if (kept !== undefined) {
      chmodSync(part, kept);
    }
    renameSync(part, path);
  } catch (error) {
    // Of a file that is open, Node does not say the path: the disk is full.
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

/** What file managers leave in every folder that somebody looks at. */
const litter = /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i;

interface Entry {
  path: string;
  isLink: boolean;
}

/** The paths of all files and links below a folder, sorted, without litter. A link is not followed. With `only`, of the entries of the folder itself only these. */
export function listFiles(folder: string, only?: readonly string[]): Entry[] {
  return listEntries(folder, only).filter((entry) => !isLitter(entry));
}

/** The paths of the files that `listFiles` leaves out. */
export function listLitter(folder: string): string[] {
  const entries = listEntries(folder).filter(isLitter);
  return entries.map(({ path }) => path);
}

/** A folder or a link is no litter, whatever its name. */
function isLitter({ path, isLink }: Entry): boolean {
  return !isLink && litter.test(basename(path));
}

function listEntries(folder: string, only?: readonly string[]): Entry[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => only?.includes(name) ?? true)
    .flatMap((entry): Entry[] => {
      const { name } = entry;
      return entry.isDirectory()
        ? listEntries(join(folder, name)).map((file) => ({ ...file, path: `${name}/${file.path}` }))
        : [{ path: name, isLink: entry.isSymbolicLink() }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
