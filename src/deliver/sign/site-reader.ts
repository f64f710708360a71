import { statSync, type Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { endSentence } from '../../core/text/wording.ts';
import {
  listEntriesBelow,
  explainFileError,
  readRegularFile,
  sha256,
} from '../../io/files/file-system.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { digestsFile, listSignedPaths, parseDigests, type Digests } from '../../site/digests.ts';
import { unservedFiles } from '../../site/render/headers.ts';

/** A failed check of a site. The message states the problem and the remedy. The cause is an HttpError where a file cannot be read now. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  /** The path of the file. */
  readonly subject: string;

  constructor(subject: string, message: string, remedy = downloadAgain, options?: ErrorOptions) {
    super(`${endSentence(message)} ${remedy}`, options);
    this.subject = subject;
  }
}

const downloadAgain =
  'Download the whole site again from where it is published; if that does not help, report it to its owner and do not use it';

const copyBuiltFolder =
  'Hosts read it and do not serve it, so a download lacks it: verify the address, or copy the folder that was built';

/** Reads a site that is not yet verified, so its content is untrusted. */
export interface SiteReader {
  /** What to do about a missing or changed file; absent for a copy, which can be downloaded again. */
  remedy?: string | undefined;
  /** The bytes of a file; undefined if there is no such file. Throws a VerificationError if it is unreadable. */
  read(path: string): Promise<Buffer | undefined>;
  /** The paths of all files; absent for readers that cannot list files. Throws a VerificationError on a link. */
  list?(): string[];
}

/** Larger files are not read: this is more than twice what Cloudflare accepts. */
export const maxFileBytes = 64 * 2 ** 20;

/** `remedy`: for the folder in which the site was built; absent for a copy. */
export function openFolderReader(folder: string, remedy?: string): SiteReader {
  return {
    remedy,
    read: async (path) => readFile(folder, path, remedy),
    list: () => listFiles(folder),
  };
}

/** Reads a site from its address, which cannot list its files. Accepts any type: a mirror may have other types. */
export function openAddressReader(http: Fetcher, baseUrl: string): SiteReader {
  return {
    async read(path) {
      const url = `${baseUrl}/${path.split('/').map(encodeURIComponent).join('/')}`;
      try {
        return (await http.fetch({ url, accept: ['*/*'], maxBytes: maxFileBytes })).body;
      } catch (error) {
        if (!(error instanceof HttpError)) {
          throw error;
        }
        if (error.kind === 'absent') {
          return undefined;
        }

        const message = `cannot be read: ${error.message}`;
        throw new VerificationError(path, message, 'Try again later', { cause: error });
      }
    },
  };
}

/** Throws a VerificationError if the file is missing. */
export async function readRequired(
  site: SiteReader,
  path: string,
  remedy = site.remedy,
): Promise<Buffer> {
  const bytes = await site.read(path);
  if (!bytes) {
    throw new VerificationError(path, 'is missing', remedy);
  }

  return bytes;
}

function readFile(folder: string, path: string, remedy?: string): Buffer | undefined {
  try {
    const file = join(folder, path);
    if (statSync(file).size > maxFileBytes) {
      throw new VerificationError(path, 'is larger than any file of a site', remedy);
    }

    return readRegularFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }

    const reason = explainFileError(error);
    if (reason === undefined) {
      throw error;
    }

    throw new VerificationError(path, `cannot be read: ${reason}`, 'It was not checked');
  }
}

function listFiles(folder: string): string[] {
  const entries = [...listEntriesBelow(folder)];
  const joinPath = ({ parentPath, name }: Dirent) =>
    relative(folder, join(parentPath, name)).replaceAll('\\', '/');
  const link = entries.find((entry) => entry.isSymbolicLink());
  if (link) {
    const message = 'is a link, whose target can change after this check';
    throw new VerificationError(joinPath(link), message, 'Replace it with the file');
  }

  return entries.map(joinPath).sort();
}

/** Parses `SHA256SUMS`. Throws a VerificationError if it is malformed. */
export function readDigests({ remedy }: SiteReader, list: Buffer): Digests {
  const reject = (problem: string) => new VerificationError(digestsFile, problem, remedy);
  return parseDigests(list.toString(), reject);
}

const parallelReads = 64;

/** Yields an error for each file that is missing, differs from its digest, or is not listed. */
export async function* findDamagedFiles(
  site: SiteReader,
  digests: Digests,
): AsyncGenerator<VerificationError> {
  const list = site.list?.();

  // Hosts do not serve all files, so only a folder must have them.
  const paths = [...digests.keys()].filter((path) => list || !unservedFiles.has(path));
  for (let start = 0; start < paths.length; start += parallelReads) {
    const batch = paths.slice(start, start + parallelReads);
    const damage = await Promise.all(batch.map((path) => findDamage(site, path, digests)));
    yield* damage.filter((error) => error !== undefined);
  }

  const addedBySigning = new Set([digestsFile, ...listSignedPaths(digests.keys())]);
  for (const path of list ?? []) {
    if (!digests.has(path) && !addedBySigning.has(path)) {
      yield new VerificationError(path, `is not listed in ${digestsFile}`, 'Remove it');
    }
  }
}

async function findDamage(
  site: SiteReader,
  path: string,
  digests: Digests,
): Promise<VerificationError | undefined> {
  try {
    const expected = digests.get(path);
    const ifMissing = site.remedy ?? (unservedFiles.has(path) ? copyBuiltFolder : undefined);
    const actual = sha256(await readRequired(site, path, ifMissing));
    if (actual === expected) {
      return undefined;
    }

    const difference = `was changed: ${digestsFile} lists the digest ${expected}; its digest is ${actual}`;
    return new VerificationError(path, difference, site.remedy);
  } catch (error) {
    if (error instanceof VerificationError) {
      return error;
    }

    throw error;
  }
}
