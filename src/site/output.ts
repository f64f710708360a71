/** The folder of a built site. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inputError } from '../core/errors.ts';
import { listFiles, readIfThere, sha256 } from '../core/files.ts';
import { digestsFile, formatDigests, isUnlisted, parseDigests } from '../core/sha256sums.ts';
import { formatList } from '../core/text.ts';

/** A long text comes in parts, so that it is never in memory as a whole. */
export type File = readonly [path: string, body: string | Uint8Array | Generator<string>];

/**
 * Writes a site with its digests beside the former one, then takes its place: a reader sees either whole. Returns the number of
 * files. Throws an `InputError`, before anything is written, for a folder with files that no build made.
 */
export function writeSite(folder: string, files: Iterable<File>): number {
  const out = repeat(() => resolveFolder(folder));
  removeParts(out);
  const part = `${out}.${process.pid}.part`;
  const former = `${out}.${process.pid}.former`;
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
    repeat(() => {
      if (existsSync(out)) {
        rmSync(former, { recursive: true, force: true });
        renameSync(out, former);
      }
      renameSync(part, out);
    });
  } catch (error) {
    // The new site could not take its place: the former one keeps it.
    if (existsSync(former) && !existsSync(out)) {
      renameSync(former, out);
    }
    throw error;
  } finally {
    rmSync(part, { recursive: true, force: true });
    rmSync(former, { recursive: true, force: true });
  }
  return digests.size + 1;
}

/** Returns the digest. Texts are encoded once, for it and for the disk. */
function writeBody(file: string, body: File[1]): string {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = Buffer.from(body);
    writeFileSync(file, bytes);
    return sha256(bytes);
  }

  const hash = createHash('sha256');
  const opened = openSync(file, 'w');
  try {
    for (const part of body) {
      const bytes = Buffer.from(part);
      writeFileSync(opened, bytes);
      hash.update(bytes);
    }
  } finally {
    closeSync(opened);
  }
  return hash.digest('hex');
}

/** Removes what killed builds left beside a folder. The number of this process may have been that of one of them. */
function removeParts(out: string): void {
  const pattern = `${basename(out)}.+([0-9]).{part,former}`;
  for (const name of globSync(pattern, { cwd: dirname(out) })) {
    const id = Number(name.split('.').at(-2));
    if (id === process.pid || !isRunning(id)) {
      rmSync(join(dirname(out), name), { recursive: true, force: true });
    }
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

/** What a step meets while another build takes its place; the last two on Windows. */
const raceCodes = ['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EBUSY', 'EPERM'];
const maxTries = 200;
const maxPauseMs = 100;

/** Does a step that meets another build again, after a pause: some ten seconds in all. */
function repeat<T>(step: () => T): T {
  for (let tries = 1; ; tries += 1) {
    try {
      return step();
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!raceCodes.includes(code) || tries === maxTries) {
        throw error;
      }
    }
    pause(Math.random() * maxPauseMs);
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** The folder to replace; of a link, the one behind it. Throws an `InputError` for one with files that no build made. */
function resolveFolder(folder: string): string {
  const out = existsSync(folder) ? realpathSync(folder) : folder;
  const list = readList(out);
  const own = parseDigests(list);
  const isOwn = (path: string) => own.has(path) || (own.size > 0 && isUnlisted(path, own));
  const files = existsSync(out) ? listFiles(out).map(({ path }) => path) : [];
  const foreign = files.filter((path) => !isOwn(path));
  if (foreign.length > 0) {
    // They may be of another build, whose site came after the list was read.
    if (readList(out) !== list) {
      return resolveFolder(folder);
    }
    throw inputError(
      out,
      `has files that no build made: ${formatList(foreign, 3)}. Move them away, or name another folder: --out`,
    );
  }
  return out;
}

/** The digests of a site; empty where none was built. */
function readList(out: string): string {
  return readIfThere(join(out, digestsFile))?.toString() ?? '';
}
