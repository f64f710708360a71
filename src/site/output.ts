/** The folder of a built site. */
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inputError } from '../core/errors.ts';
import { listFiles, readIfThere, sha256 } from '../core/files.ts';
import { digestsFile, formatDigests, isAddedBySigning, parseDigests } from '../core/sha256sums.ts';
import { formatList } from '../core/text.ts';

export type File = readonly [path: string, body: string | Uint8Array];

/**
 * Writes a site with its digests beside the former one, then takes its place: a reader sees either whole. Returns the number of
 * files. Throws an `InputError`, before anything is written, for a folder with files that no build made.
 */
export function writeSite(folder: string, files: Iterable<File>): number {
  // Of a link, the folder behind it is replaced.
  const out = existsSync(folder) ? realpathSync(folder) : folder;
  checkFolder(out);
  const part = `${out}.${process.pid}.part`;
  const former = `${out}.${process.pid}.former`;
  const digests = new Map<string, string>();
  const write = (path: string, bytes: Uint8Array) => {
    mkdirSync(dirname(join(part, path)), { recursive: true });
    writeFileSync(join(part, path), bytes);
  };
  try {
    for (const [path, body] of files) {
      // Encoded once, for the disk and the digest.
      const bytes = Buffer.from(body as string);
      write(path, bytes);
      digests.set(path, sha256(bytes));
    }
    const listed = [...digests].filter(([path]) => !isAddedBySigning(path, digests));
    write(digestsFile, Buffer.from(formatDigests(new Map(listed))));

    if (existsSync(out)) {
      renameSync(out, former);
    }
    renameSync(part, out);
  } finally {
    rmSync(part, { recursive: true, force: true });
    rmSync(former, { recursive: true, force: true });
  }
  return digests.size + 1;
}

function checkFolder(out: string): void {
  const own = parseDigests(readIfThere(join(out, digestsFile))?.toString() ?? '');
  const isOwn = (path: string) => own.has(path) || (own.size > 0 && isAddedBySigning(path, own));
  const files = existsSync(out) ? listFiles(out).map(({ path }) => path) : [];
  const foreign = files.filter((path) => !isOwn(path));
  if (foreign.length > 0) {
    throw inputError(
      out,
      `has files that no build made: ${formatList(foreign, 3)}. Move them away, or name another folder: --out`,
    );
  }
}
