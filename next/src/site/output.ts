/** The folder of a built site. */
import {
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { inputError } from '../core/errors.ts';
import { listFiles, readIfThere, sha256 } from '../core/files.ts';
import { digestsFile, formatDigests, isAddedBySigning, parseDigests } from '../core/sha256sums.ts';
import { formatList } from '../core/text.ts';

export interface Output {
  add(path: string, body: string | Uint8Array): void;
  /** Adds the digests of all files, and takes the place of the former site. Returns the number of files. */
  finish(): number;
  /** Removes what is not finished. */
  discard(): void;
}

/**
 * Writes a site beside the former one, so that a reader sees either whole. Throws an `InputError`, before anything is written, for
 * a folder with files that no build made.
 */
export function openOutput(folder: string): Output {
  // Of a link, the folder behind it is replaced.
  const out = existsSync(folder) ? realpathSync(folder) : folder;
  checkFolder(out);
  const part = `${out}.${process.pid}.part`;
  const former = `${out}.${process.pid}.former`;
  const digests = new Map<string, string>();

  function add(path: string, body: string | Uint8Array): void {
    if (digests.has(path)) {
      throw new Error(`two files of the site are called ${path}`);
    }

    // Encoded once, for the disk and the digest.
    const bytes = Buffer.from(body as string);
    const file = join(part, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    digests.set(path, sha256(bytes));
  }

  return {
    add,
    finish() {
      const listed = [...digests].filter(([path]) => !isAddedBySigning(path));
      add(digestsFile, formatDigests(new Map(listed)));
      if (existsSync(out)) {
        renameSync(out, former);
      }
      renameSync(part, out);
      rmSync(former, { recursive: true, force: true });
      return digests.size;
    },
    discard() {
      rmSync(part, { recursive: true, force: true });
    },
  };
}

function checkFolder(out: string): void {
  if (!existsSync(out)) {
    return;
  }
  if (!statSync(out).isDirectory()) {
    throw inputError(out, 'is a file. Name a folder: --out');
  }

  const list = readIfThere(join(out, digestsFile))?.toString();
  const own = parseDigests(list ?? '');
  const isOwn = (path: string) => own.has(path) || (list !== undefined && isAddedBySigning(path));
  const foreign = listFiles(out).flatMap(({ path }) => (isOwn(path) ? [] : path));
  if (foreign.length > 0) {
    throw inputError(
      out,
      `has files that no build made: ${formatList(foreign, 3)}. Move them away, or name another folder: --out`,
    );
  }
}
