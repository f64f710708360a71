import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SiteFile } from '../model/component.ts';
import { digestsFile, formatDigests, parseDigests, sha256 } from './digests.ts';
import { exchangeFolders } from './exchange.ts';

/** Files that the build does not list in `SHA256SUMS`, because they are about it. */
export const unlistedFiles: ReadonlySet<string> = new Set([digestsFile, `${digestsFile}.minisig`]);

export interface WrittenSite {
  files: number;
  written: number;
  removed: number;
}

/** A file in the output folder that no build made. Nothing was written. */
export class ForeignFilesError extends Error {
  override readonly name = 'ForeignFilesError';
}

/**
 * Writes a whole site beside the output folder and switches: a reader sees the old site or the new one. A file that did
 * not change is linked, not written.
 */
export class SiteWriter {
  readonly #out: string;
  readonly #staging: string;
  readonly #old: ReadonlyMap<string, string>;
  readonly #digests = new Map<string, string>();
  readonly #folders = new Set<string>();
  #written = 0;

  /** Throws a ForeignFilesError before anything is written. */
  constructor(out: string) {
    this.#out = out;
    recoverFolder(out);
    this.#old = ownFiles(out);
    mkdirSync(dirname(out), { recursive: true });
    this.#staging = mkdtempSync(stagingPrefix(out, process.pid));
    // mkdtemp shuts others out; the site is public.
    chmodSync(this.#staging, 0o777 & ~process.umask());
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
    const removed = [...this.#old.keys()].filter((path) => !this.#digests.has(path)).length;
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
    const current = join(this.#out, path);
    if (isSame(current, body) && tryLink(current, target)) return;
    writeFileSync(target, body);
    this.#written += 1;
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

/** The files an earlier build made, by its own list. Throws where another file is among them. */
function ownFiles(out: string): Map<string, string> {
  if (!existsSync(out)) return new Map();
  const list = join(out, digestsFile);
  const own = existsSync(list) ? parseDigests(readFileSync(list, 'utf8')) : new Map<string, string>();
  const foreign = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(out.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !own.has(path) && !unlistedFiles.has(path));
  if (foreign.length > 0) {
    const shown =
      foreign.slice(0, 5).join(', ') + (foreign.length > 5 ? ` and ${foreign.length - 5} more` : '');
    throw new ForeignFilesError(
      `${out}: no build made ${shown}. Move it away, or choose another --out. Nothing was written.`,
    );
  }
  return own;
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
    // Some file systems have no links.
    return false;
  }
}
