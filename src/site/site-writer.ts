import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import type { SiteFile } from '../render/site-context.ts';
import { sha256 } from '../store/sha256.ts';
import {
  isSameFile,
  isSettled,
  lookUp,
  stampFile,
  toStamp,
  type Stamp,
  type StampedFile,
  type Stamps,
} from '../store/stamps.ts';
import { digestsFile, formatDigests } from './digests.ts';
import { exchangeFolders } from './exchange-folders.ts';
import { ownFiles } from './own-files.ts';
import { Room } from './room.ts';
import { makeStaging, recoverFolder } from './staging.ts';

export { ForeignFilesError, unlistedFiles } from './own-files.ts';

export interface WrittenSite {
  files: number;
  written: number;
  removed: number;
  /** Of every file, by its path. */
  stamps: Stamps;
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
  /** Whether there is a site already. */
  readonly #isThere: boolean;
  readonly #staging: string;
  /** What an earlier build made. */
  readonly #old: ReadonlySet<string>;
  readonly #placed = new Map<string, PlacedFile>();
  readonly #folders = new Set<string>();
  #written = 0;
  readonly #room = new Room();

  /** `known`: what an earlier build remembers of the files it made. Throws a ForeignFilesError before anything is written. */
  constructor(out: string, known: Stamps = {}) {
    this.#known = known;
    recoverFolder(out);
    // Behind a link, it is the folder that is switched, and not the link.
    this.#out = existsSync(out) ? realpathSync(out) : out;
    if (this.#out !== out) recoverFolder(this.#out);
    this.#isThere = existsSync(this.#out);
    this.#old = ownFiles(this.#out, () =>
      Object.keys(this.#known).filter((path) => this.#asMade(path) !== undefined),
    );
    this.#staging = makeStaging(this.#out);
  }

  /**
   * Takes files of the present site into the new one, all or none of them: only where each still is what the earlier
   * build made. Returns whether it did.
   */
  keep(paths: readonly string[]): boolean {
    const isKept = paths.every((path) => {
      const current = this.#asMade(path);
      return current !== undefined && this.#link(path, current);
    });
    if (!isKept) for (const path of paths) this.#remove(path);
    return isKept;
  }

  add({ path, body }: SiteFile): void {
    const bytes = body instanceof Uint8Array ? body : this.#room.encode(body);
    const digest = sha256(bytes);
    const current = this.#current(path);
    if (current?.stamp.sha256 === digest && this.#link(path, current)) return;
    this.#write(path, digest, bytes);
  }

  /** Bytes of a file that is placed already. */
  lengthOf(path: string): number {
    return this.#placed.get(path)!.stats.size;
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
    const removed = [...this.#old].filter((path) => !this.#placed.has(path)).length;
    return { files: this.#placed.size, written: this.#written, removed, stamps: this.#stamps() };
  }

  /** Removes what is not the site: the unfinished new one, or the old one after the switch. */
  discard(): void {
    rmSync(this.#staging, { recursive: true, force: true });
  }

  #asMade(path: string): StampedFile | undefined {
    const known = this.#known[path];
    const current = known && this.#current(path);
    return current?.stamp.sha256 === known?.sha256 ? current : undefined;
  }

  #current(path: string): StampedFile | undefined {
    if (!this.#isThere) return undefined;
    return stampFile(join(this.#out, path), this.#known[path]);
  }

  #link(path: string, { stamp, stats }: StampedFile): boolean {
    const target = this.#target(path);
    try {
      linkSync(join(this.#out, path), target);
    } catch {
      // It is not there any more, or the file system has no links.
      return false;
    }
    // Another build may have switched the folder since it was looked at.
    const linked = lookUp(target);
    if (linked && isSameFile(linked, stats)) {
      this.#placed.set(path, { sha256: stamp.sha256, stats });
      return true;
    }
    rmSync(target);
    return false;
  }

  #remove(path: string): void {
    if (this.#placed.delete(path)) rmSync(join(this.#staging, path));
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
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    if (!this.#folders.has(folder)) {
      mkdirSync(join(this.#staging, folder), { recursive: true });
      this.#folders.add(folder);
    }
    return `${this.#staging}/${path}`;
  }

  /**
   * Only now: links change what the system says of a file. Another build may have come between. What is too young for its
   * stamp to be trusted is not looked at.
   */
  #stamps(): Stamps {
    const stamps: Record<string, Stamp> = {};
    for (const [path, placed] of this.#placed) {
      const stats = isSettled(placed.stats) ? lookUp(join(this.#out, path)) : undefined;
      const isOurs = stats !== undefined && isSameFile(stats, placed.stats);
      stamps[path] = isOurs ? toStamp(placed.sha256, stats) : { sha256: placed.sha256 };
    }
    return stamps;
  }
}
