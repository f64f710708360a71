import { existsSync, linkSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SiteFile } from '../model/component.ts';
import { digestsFile, formatDigests, sha256 } from './digests.ts';
import { exchangeFolders } from './exchange.ts';
import { ownFiles } from './own-files.ts';
import { makeStaging, recoverFolder } from './staging.ts';

export { ForeignFilesError, unlistedFiles } from './own-files.ts';

export interface WrittenSite {
  files: number;
  written: number;
  removed: number;
}

/**
 * Writes a whole site beside the output folder and switches: a reader sees the old site or the new one. A file that did
 * not change is linked, not written.
 */
export class SiteWriter {
  readonly #out: string;
  readonly #staging: string;
  /** What an earlier build made. */
  readonly #old: ReadonlySet<string>;
  readonly #digests = new Map<string, string>();
  readonly #folders = new Set<string>();
  #written = 0;

  /** Throws a ForeignFilesError before anything is written. */
  constructor(out: string) {
    recoverFolder(out);
    // Behind a link, it is the folder that is switched, and not the link.
    this.#out = existsSync(out) ? realpathSync(out) : out;
    if (this.#out !== out) recoverFolder(this.#out);
    this.#old = ownFiles(this.#out);
    this.#staging = makeStaging(this.#out);
  }

  add({ path, body }: SiteFile): void {
    if (this.#digests.has(path)) throw new Error(`two files of the site are called ${path}`);
    this.#digests.set(path, sha256(body));
    this.#place(path, body);
  }

  finish(): WrittenSite {
    this.#place(digestsFile, formatDigests(this.#digests));
    exchangeFolders(this.#staging, this.#out);
    this.discard();
    const removed = [...this.#old].filter((path) => !this.#digests.has(path)).length;
    return { files: this.#digests.size + 1, written: this.#written, removed };
  }

  /** Removes what is not the site: the unfinished new one, or the old one after the switch. */
  discard(): void {
    rmSync(this.#staging, { recursive: true, force: true });
  }

  #place(path: string, body: string | Uint8Array): void {
    const target = join(this.#staging, path);
    const folder = dirname(target);
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true });
      this.#folders.add(folder);
    }
    // Compared only once it is linked: another build may switch the folder in between.
    if (tryLink(join(this.#out, path), target)) {
      if (isSame(target, body)) return;
      rmSync(target);
    }
    writeFileSync(target, body);
    this.#written += 1;
  }
}

function isSame(path: string, body: string | Uint8Array): boolean {
  try {
    const bytes = readFileSync(path);
    return typeof body === 'string' ? bytes.equals(Buffer.from(body)) : bytes.equals(body);
  } catch {
    return false;
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    // It is not there, or the file system has no links.
    return false;
  }
}
