import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  readFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isAbsent, makeFolder, sha256, writeFile } from '../io/files/file-system.ts';
import {
  digestsFile,
  formatDigests,
  listSignedPaths,
  parseDigests,
  type Digests,
} from './digests.ts';
import type { SiteFile } from './render/site-context.ts';
import { inputError } from '../core/schemas/finding.ts';
import { formatList } from '../core/text/wording.ts';

/** Adds files to a new site, and finishes or discards it. */
export type SiteWriter = ReturnType<typeof openSiteWriter>;

/**
 * Opens a new folder next to the output folder; `finish` switches them, so a reader sees the old or the new site.
 * Throws an InputError before writing if the output folder has files from elsewhere.
 */
export function openSiteWriter(folder: string) {
  recoverFolder(followLink(folder));

  // If the folder is a link, switches the folder behind it and keeps the link.
  const out = isAbsent(folder) ? folder : realpathSync(folder);
  const oldDigests = readBuiltFiles(out);
  const staging = makeStaging(out);
  const digests = new Map<string, string>();

  return { add, finish, discard };

  function add({ path, body }: SiteFile): void {
    if (digests.has(path)) {
      throw new Error(`two files of the site are called ${path}`);
    }

    const target = join(staging, path);
    const bytes = Buffer.from(body);
    mkdirSync(dirname(target), { recursive: true });
    writeFile(target, bytes);
    digests.set(path, sha256(bytes));
  }

  /** Adds the list of digests and replaces the old site with the new one. */
  function finish() {
    const signedPaths = new Set(listSignedPaths(digests.keys()));
    const listed = new Map([...digests].filter(([path]) => !signedPaths.has(path)));
    add({ path: digestsFile, body: formatDigests(listed) });
    switchFolders(staging, out);

    const paths = [...digests.keys()];
    return {
      files: paths.length,
      /** The number of files that are new or differ from the earlier build. */
      written: paths.filter((path) => digests.get(path) !== oldDigests.get(path)).length,
      removed: [...oldDigests.keys()].filter((path) => !digests.has(path)).length,
    };
  }

  /** Removes the unfinished new site, or the old one after the switch. */
  function discard(): void {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The folder that a link leads to, even if it is missing now, as after a run that ended between two renames. */
function followLink(folder: string): string {
  if (isAbsent(folder)) {
    return folder;
  }

  return existsSync(folder)
    ? realpathSync(folder)
    : followLink(resolve(realpathSync(dirname(folder)), readlinkSync(folder)));
}

/** The ending of the old site while the new one takes its place. */
const asideEnding = '.aside';

/** Makes a new folder next to the output folder, named after this process. */
function makeStaging(out: string): string {
  makeFolder(dirname(out));

  try {
    const staging = mkdtempSync(`${nameStagingPrefix(out)}${process.pid}-`);

    // mkdtemp makes folders that only their owner can read, but a server must read the site.
    chmodSync(staging, 0o777 & ~process.umask());
    return staging;
  } catch (error) {
    // The message names the parent folder, since the random staging name means nothing to a person.
    throw Object.assign(error as Error, { path: dirname(out) });
  }
}

/**
 * Swaps both folders. A rename cannot replace a folder that has files, so the output folder is missing for some microseconds
 * between the first two renames. If the process ends then, `recoverFolder` restores it.
 */
function switchFolders(staging: string, out: string): void {
  if (!existsSync(out)) {
    renameSync(staging, out);
    return;
  }

  const aside = `${staging}${asideEnding}`;
  renameSync(out, aside);
  renameSync(staging, out);
  renameSync(aside, staging);
}

/**
 * Restores the site after a run that ended between two renames, and removes the staging folders of ended runs. Call it before
 * `makeStaging`: then a folder with the number of this process is from an earlier run (in containers, every run has the same
 * process number).
 */
function recoverFolder(out: string): void {
  const abandoned = listAbandonedFolders(out);
  const aside = abandoned.find((path) => path.endsWith(asideEnding));
  if (aside !== undefined && !existsSync(out)) {
    renameSync(aside, out);
  }

  for (const path of abandoned) {
    rmSync(path, { recursive: true, force: true });
  }
}

function listAbandonedFolders(out: string): string[] {
  const parent = dirname(out);
  if (!existsSync(parent)) {
    return [];
  }

  const prefix = basename(nameStagingPrefix(out));
  const paths: string[] = [];
  for (const name of readdirSync(parent)) {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    // A folder of another form is not of a build.
    const [, pid] = /^([1-9]\d*)-\w{6}(?:\.aside)?$/.exec(rest) ?? [];
    if (pid !== undefined && !isOtherProcess(Number(pid))) {
      paths.push(join(parent, name));
    }
  }
  return paths;
}

function nameStagingPrefix(out: string): string {
  return join(dirname(out), `.${basename(out)}.next-`);
}

/** Whether another running process has this number. The folder of an ended run stays as long as that is so. */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) {
    return false;
  }

  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Files that every site has: a list of digests without them belongs to something else. */
const requiredFiles = ['index.json', 'all.json', 'status.json'];

/** The files of a built site, with the digests in its list. Throws an InputError if the folder has a file of no build. */
export function readBuiltFiles(out: string): Digests {
  const stats = statSync(out, { throwIfNoEntry: false });
  if (!stats) {
    return new Map();
  }
  if (!stats.isDirectory()) {
    throw inputError('--out', `${out} is a file. Choose another --out. Nothing was written.`);
  }

  const digests = readListedFiles(out);
  const foreignPaths = listForeignPaths(out, digests);
  if (foreignPaths.length === 0) {
    return digests;
  }

  const reason =
    digests.size > 0
      ? 'a build did not make'
      : `without the ${digestsFile} of a build, it is unknown who made`;
  throw inputError(
    '--out',
    `${out}: ${reason} ${formatList(foreignPaths, 5)}. Move it away, or choose another --out. Nothing was written.`,
  );
}

/** The files in the list of a build, and the list itself; empty if there is no such list. */
function readListedFiles(out: string): Digests {
  try {
    const text = readFileSync(join(out, digestsFile), 'utf8');
    const digests = parseDigests(text);
    const isOfSite = requiredFiles.every((file) => digests.has(file));
    return isOfSite ? digests.set(digestsFile, sha256(text)) : new Map();
  } catch {
    // Without a list that can be read, all files are foreign.
    return new Map();
  }
}

/**
 * The files that no build made. Names a foreign folder as a whole without searching it, since it may be large. Signing adds files
 * that the list does not have.
 */
function listForeignPaths(out: string, digests: Digests): string[] {
  const signedPaths = digests.size > 0 ? listSignedPaths(digests.keys()) : [];
  const ownPaths = new Set([...digests.keys(), ...signedPaths]);
  const ownFolders = new Set([...ownPaths].flatMap(listFolders));

  return [...listBelow('')];

  function* listBelow(folder: string): Generator<string> {
    for (const entry of readdirSync(join(out, folder), { withFileTypes: true })) {
      const path = `${folder}${entry.name}`;
      if (!entry.isDirectory()) {
        if (!ownPaths.has(path)) {
          yield path;
        }
      } else if (ownFolders.has(`${path}/`)) {
        yield* listBelow(`${path}/`);
      } else if (readdirSync(join(out, path)).length > 0) {
        yield `${path}/`;
      }
    }
  }
}

/** The folders around a file: `a/` and `a/b/` of `a/b/c.json`. */
function listFolders(path: string): string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1));
}
