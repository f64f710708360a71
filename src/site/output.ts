/** Writes the folder of a built site. */
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { inputError } from '../core/errors.ts';
import { listFiles, readIfThere } from '../core/files.ts';
import { digestsFile, formatDigests, isUnlisted, parseDigests } from '../core/sha256sums.ts';
import { formatList } from '../core/text.ts';

/** A file of the site. A generator yields a long text in parts, to save memory. */
export type File = readonly [path: string, body: string | Uint8Array | Generator<string>];

/**
 * Writes a site and its `SHA256SUMS`, and returns the number of files. The site is written into a folder beside the former site. When it is
 * complete, it replaces the former site. Throws an `InputError`:
 * - if the folder has files that no build made
 * - if another build replaces the folder at the same time
 */
export function writeSite(folder: string, files: Iterable<File>): number {
  const out = failParallelBuild(folder, () => resolveFolder(folder));
  // The name is random, because processes in two containers may have the same process id.
  const workplace = `${out}.${randomUUID()}.part`;
  const part = join(workplace, 'site');
  const digests = new Map<string, string>();
  const folders = new Set<string>();
  try {
    for (const [path, body] of files) {
      const file = join(part, path);
      const parent = dirname(file);
      if (!folders.has(parent)) {
        mkdirSync(parent, { recursive: true });
        folders.add(parent);
      }
      digests.set(path, writeBody(file, body));
    }
    writeFileSync(join(part, digestsFile), formatDigests(digests));
    failParallelBuild(out, () => replaceFolder(out, part, join(workplace, 'former')));
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
  return digests.size + 1;
}

/** Writes a file and returns its digest. A text is encoded only once, for the file and for the digest. */
function writeBody(file: string, body: File[1]): string {
  const parts = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  const hash = createHash('sha256');
  const opened = openSync(file, 'w');
  try {
    for (const part of parts) {
      const bytes = Buffer.from(part);
      writeFileSync(opened, bytes);
      hash.update(bytes);
    }
  } finally {
    closeSync(opened);
  }
  return hash.digest('hex');
}

/** A build gets one of these error codes if another build has moved the former site, or has already put its own site into the folder. */
const raceCodes = ['ENOENT', 'ENOTEMPTY', 'EEXIST'];

/** If two builds write into one folder, the second build gets one of `raceCodes`, and throws an `InputError`. */
function failParallelBuild<T>(out: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw raceCodes.includes((error as NodeJS.ErrnoException).code ?? '')
      ? inputError(out, 'another build took its place at the same time. Build again')
      : error;
  }
}

function replaceFolder(out: string, part: string, former: string): void {
  try {
    if (existsSync(out)) {
      renameSync(out, former);
    }
    renameSync(part, out);
  } catch (error) {
    // The new site could not be moved into place, so the former site is moved back.
    if (existsSync(former) && !existsSync(out)) {
      renameSync(former, out);
    }
    throw error;
  }
}

/** Returns the folder to replace. Follows a symbolic link. Throws an `InputError` if the folder has files that no build made. */
function resolveFolder(folder: string): string {
  const out = existsSync(folder) ? realpathSync(folder) : folder;
  const own = parseDigests(readIfThere(join(out, digestsFile))?.toString() ?? '');
  const isOwn = (path: string) => own.has(path) || (own.size > 0 && isUnlisted(path));
  const files = existsSync(out) ? listFiles(out).map(({ path }) => path) : [];
  const foreign = files.filter((path) => !isOwn(path));
  if (foreign.length > 0) {
    throw inputError(
      out,
      `has files that no build made: ${formatList(foreign, 3)}. Move them away, or name another folder: --out`,
    );
  }
  return out;
}
