/**
 * Keeps the answers of earlier runs in a folder. Hosts then need not send unchanged documents again. The folder may be deleted at any time.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../core/files.ts';

/** The limit for all kept bodies together, in bytes. The most recently used answers are kept. */
const maxFolderBytes = 512 * 2 ** 20;

/** The mode of the files. Only the owner may read the files, because some answers may have been fetched with `GITHUB_TOKEN`. */
const mode = 0o600;

/** The headers that are kept. `Date` is not among them, because the clock is compared only with new answers. */
const names = ['etag', 'last-modified', 'link', 'content-type', 'docker-content-digest'];

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the folder. `program`: the version of this program. Answers that another version kept are ignored, because they may lack a header.
 */
export function openStore(folder: string, program = '', maxBytes = maxFolderBytes) {
  const locate = (key: string) => join(folder, sha256(`${program} zstd ${key}`));

  return {
    /**
     * Returns a kept answer. Undefined if there is none, or if its file is damaged. A file contains a digest of all that follows, the
     * headers as a line of JSON, and the packed body.
     */
    find: (key: string) =>
      attempt(() => {
        const path = locate(key);
        const bytes = readFileSync(path);
        const rest = bytes.subarray(64);
        if (bytes.toString('latin1', 0, 64) !== sha256(rest)) {
          return undefined;
        }

        utimesSync(path, new Date(), new Date());
        chmodSync(path, mode);
        const end = rest.indexOf('\n');
        const headers = JSON.parse(rest.toString('utf8', 0, end)) as Record<string, string>;
        return { headers, packed: rest.subarray(end + 1) };
      }),
    keep(key: string, headers: Headers, packed: Buffer): void {
      attempt(() => {
        const kept = Array.from(headers).filter(([name]) => names.includes(name));
        const head = Buffer.from(`${JSON.stringify(Object.fromEntries(kept))}\n`);
        const rest = Buffer.concat([head, packed]);
        mkdirSync(folder, { recursive: true });
        const path = locate(key);
        writeFileSync(path, Buffer.concat([Buffer.from(sha256(rest)), rest]), { mode });
        // Writing to an existing file does not change its mode.
        chmodSync(path, mode);
      });
    },
    remove: (key: string) => attempt(() => rmSync(locate(key))),
    close: () => attempt(() => removeOldest(folder, maxBytes)),
  };
}

/** Removes only the files of this store. Other programs may keep files in the folder. */
function removeOldest(folder: string, maxBytes: number): void {
  const own = readdirSync(folder).filter((name) => /^[\da-f]{64}$/.test(name));
  const files = own.map((name) => {
    const path = join(folder, name);
    return { path, stats: lstatSync(path) };
  });
  let sum = 0;
  for (const { path, stats } of files.sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)) {
    sum += stats.size;
    if (sum > maxBytes && stats.isFile()) {
      rmSync(path);
    }
  }
}

/** Ignores errors of the folder, because the source itself did not fail. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
