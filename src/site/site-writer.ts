import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SiteFile } from './render/site-context.ts';
import { isAbsent, writeFile } from '../io/files/file-system.ts';
import { sha256 } from '../io/files/sha256.ts';
import { digestsFile, formatDigests } from './digests.ts';
import { isUnlisted, ownFiles } from './own-files.ts';
import { makeStaging, recoverFolder, switchFolders } from './staging.ts';

export interface WrittenSite {
  files: number;
  /** How many are new, or differ from what the earlier build listed. */
  written: number;
  removed: number;
}

/** Writes a whole site beside the output folder and then switches: a reader sees the old site or the new one. */
export interface SiteWriter {
  add(file: SiteFile): void;
  /** Adds the list of digests and puts the new site in the place of the old one. */
  finish(): WrittenSite;
  /** Removes the unfinished new site, or the old one after the switch. */
  discard(): void;
}

/** Throws a ForeignFilesError before it writes anything. */
export function openSiteWriter(path: string): SiteWriter {
  recoverFolder(path);
  // Behind a link, the folder is switched and the link stays.
  const out = isAbsent(path) ? path : realpathSync(path);
  if (out !== path) recoverFolder(out);
  const earlier = ownFiles(out);
  const staging = makeStaging(out);
  const digests = new Map<string, string>();
  const folders = new Set<string>();
  return { add, finish, discard };

  function add({ path, body }: SiteFile): void {
    if (digests.has(path)) throw new Error(`two files of the site are called ${path}`);
    const target = join(staging, path);
    const bytes = Buffer.from(body);
    const folder = dirname(target);
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    writeFile(target, bytes);
    digests.set(path, sha256(bytes));
  }

  function finish(): WrittenSite {
    const listed = new Map([...digests].filter(([path]) => !isUnlisted(path, (other) => digests.has(other))));
    add({ path: digestsFile, body: formatDigests(listed) });
    switchFolders(staging, out);
    const paths = [...digests.keys()];
    return {
      files: paths.length,
      written: paths.filter((path) => digests.get(path) !== earlier.get(path)).length,
      removed: [...earlier.keys()].filter((path) => !digests.has(path)).length,
    };
  }

  function discard(): void {
    rmSync(staging, { recursive: true, force: true });
  }
}
