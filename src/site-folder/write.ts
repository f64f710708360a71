import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SiteFile } from '../model/component.ts';
import { sha256 } from '../store/sha256.ts';
import {
  isSameFile,
  lookUp,
  stampFile,
  toStamp,
  type Stamp,
  type StampedFile,
  type Stamps,
} from '../store/stamps.ts';
import { digestsFile, formatDigests, parseDigests } from './digests.ts';
import { exchangeFolders } from './exchange.ts';

/** Files that the build does not list in `SHA256SUMS`, because they are about it. */
export const unlistedFiles: ReadonlySet<string> = new Set([digestsFile, `${digestsFile}.minisig`]);

export interface WrittenSite {
  files: number;
  written: number;
  removed: number;
  /** Of every file, by its path. */
  stamps: Stamps;
}

/** A file in the output folder that no build made. Nothing was written. */
export class ForeignFilesError extends Error {
  override readonly name = 'ForeignFilesError';
}

interface PlacedFile {
  sha256: string;
  stats: Stats;
}

/**
 * Writes a whole site beside the output folder and switches: a reader sees the old site or the new one. A file that did
 * not change is linked, not written.
 */
export class SiteWriter {
  readonly #out: string;
  readonly #known: Stamps;
  readonly #staging: string;
  /** Files of the present site. */
  readonly #present: ReadonlySet<string>;
  readonly #placed = new Map<string, PlacedFile>();
  readonly #folders = new Set<string>();
  #written = 0;
  /** One room for the bytes of all texts, one after the other. */
  #room = Buffer.alloc(2 ** 16);

  /** `known`: what an earlier build remembers of the files it made. Throws a ForeignFilesError before anything is written. */
  constructor(out: string, known: Stamps = {}) {
    this.#out = out;
    this.#known = known;
    recoverFolder(out);
    this.#present = presentFiles(out, known);
    mkdirSync(dirname(out), { recursive: true });
    this.#staging = mkdtempSync(stagingPrefix(out, process.pid));
    // mkdtemp shuts others out; the site is public.
    chmodSync(this.#staging, 0o777 & ~process.umask());
  }

  /**
   * Takes files of the present site into the new one, all or none of them: only where each still is what the earlier
   * build made. Returns whether it did.
   */
  keep(paths: readonly string[]): boolean {
    const current = paths.map((path) => {
      const known = this.#known[path];
      const file = known && this.#current(path);
      return file?.stamp.sha256 === known?.sha256 ? file : undefined;
    });
    if (!current.every((file) => file !== undefined)) return false;
    for (const [index, path] of paths.entries()) {
      const { stamp, stats, bytes } = current[index]!;
      if (!this.#link(path, stamp.sha256, stats)) {
        this.#write(path, stamp.sha256, bytes ?? readFileSync(join(this.#out, path)));
      }
    }
    return true;
  }

  add({ path, body }: SiteFile): void {
    const bytes = typeof body === 'string' ? this.#encode(body) : body;
    const digest = sha256(bytes);
    const current = this.#current(path);
    if (current?.stamp.sha256 === digest && this.#link(path, digest, current.stats)) return;
    this.#write(path, digest, bytes);
  }

  /** A file that is placed already. */
  read(path: string): Buffer {
    return readFileSync(join(this.#staging, path));
  }

  finish(): WrittenSite {
    const digests = new Map(Array.from(this.#placed, ([path, placed]) => [path, placed.sha256]));
    this.add({ path: digestsFile, body: formatDigests(digests) });
    exchangeFolders(this.#staging, this.#out);
    this.discard();
    const removed = [...this.#present].filter((path) => !this.#placed.has(path)).length;
    return { files: this.#placed.size, written: this.#written, removed, stamps: this.#stamps() };
  }

  /** Removes what is not the site: the unfinished new one, or the old one after the switch. */
  discard(): void {
    rmSync(this.#staging, { recursive: true, force: true });
  }

  #encode(text: string): Buffer {
    const length = Buffer.byteLength(text);
    if (length > this.#room.length)
      this.#room = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#room.length));
    this.#room.write(text);
    return this.#room.subarray(0, length);
  }

  #current(path: string): StampedFile | undefined {
    if (!this.#present.has(path)) return undefined;
    return stampFile(join(this.#out, path), this.#known[path]);
  }

  #link(path: string, digest: string, stats: Stats): boolean {
    const target = this.#target(path);
    try {
      linkSync(join(this.#out, path), target);
    } catch {
      // Some file systems have no links.
      return false;
    }
    this.#placed.set(path, { sha256: digest, stats });
    return true;
  }

  #write(path: string, digest: string, bytes: Uint8Array): void {
    const file = openSync(this.#target(path), 'wx');
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      this.#placed.set(path, { sha256: digest, stats: fstatSync(file) });
    } finally {
      closeSync(file);
    }
    this.#written += 1;
  }

  #target(path: string): string {
    if (this.#placed.has(path)) throw new Error(`two files of the site are called ${path}`);
    const target = join(this.#staging, path);
    const folder = dirname(target);
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true });
      this.#folders.add(folder);
    }
    return target;
  }

  /** Only now: links change what the system says of a file. Another build may have come between. */
  #stamps(): Stamps {
    const stamps: Record<string, Stamp> = {};
    for (const [path, placed] of this.#placed) {
      const stats = lookUp(join(this.#out, path));
      const isOurs = stats !== undefined && isSameFile(stats, placed.stats);
      stamps[path] = isOurs ? toStamp(placed.sha256, stats) : { sha256: placed.sha256 };
    }
    return stamps;
  }
}

/** Brings back the site of a run that was stopped between two renames, and removes what stopped runs left. */
export function recoverFolder(out: string): void {
  const parent = dirname(out);
  if (!existsSync(parent)) return;
  const prefix = basename(stagingPrefix(out, 0)).replace(/0-$/, '');
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10))) continue;
    if (name.endsWith('.aside') && !existsSync(out)) renameSync(join(parent, name), out);
    else rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function stagingPrefix(out: string, pid: number): string {
  return join(dirname(out), `.${basename(out)}.next-${pid}-`);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** All files there are. Throws where one is among them that no earlier build remembers or lists as its own. */
function presentFiles(out: string, known: Stamps): Set<string> {
  if (!existsSync(out)) return new Set();
  const own = new Set([...Object.keys(known), ...listedFiles(out)]);
  const present = filesOf(out).filter((path) => !unlistedFiles.has(path));
  const foreign = present.filter((path) => !own.has(path));
  if (foreign.length > 0) {
    const shown =
      foreign.slice(0, 5).join(', ') + (foreign.length > 5 ? ` and ${foreign.length - 5} more` : '');
    throw new ForeignFilesError(
      `${out}: no build made ${shown}. Move it away, or choose another --out. Nothing was written.`,
    );
  }
  return new Set(present);
}

/** What is not a list of files says nothing of any. */
function listedFiles(out: string): Iterable<string> {
  try {
    return parseDigests(readFileSync(join(out, digestsFile), 'utf8')).keys();
  } catch {
    return [];
  }
}

/** Paths of all that is in a site's folder but folders. */
export function filesOf(out: string): string[] {
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(out.length + 1)
        .replaceAll('\\', '/'),
    );
}
