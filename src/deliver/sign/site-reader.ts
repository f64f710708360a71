import { statSync } from 'node:fs';
import { join } from 'node:path';
import { endSentence } from '../../core/text/wording.ts';
import {
  describePath,
  expectFileError,
  listEntriesBelow,
  readRegularFile,
} from '../../io/files/file-system.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { expectHttpError } from '../../io/http/error.ts';

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

/** An error handler that returns a `VerificationError` and rethrows every other error. */
export function expectVerificationError(error: unknown): VerificationError {
  if (error instanceof VerificationError) {
    return error;
  }

  throw error;
}

const downloadAgain =
  'Download the whole site again from where it is published; if that does not help, report it to its owner and do not use it';

/** Reads a site that is not yet verified, so its content is untrusted. */
export interface SiteReader {
  /** The advice about a missing or changed file. Without it, the advice is to download the site again. */
  remedy?: string | undefined;
  /** The bytes of a file; undefined if there is no such file. Throws a VerificationError if it is unreadable. */
  read(path: string): Promise<Buffer | undefined>;
  /** The paths of all files; absent for readers that cannot list files. Throws a VerificationError on a link. */
  list?(): string[];
}

/** Larger files are not read, as in answers of HTTP: this is more than twice what Cloudflare accepts. */
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
        return (await http.fetch({ url, accept: ['*/*'] })).body;
      } catch (error) {
        const { kind, message: reason } = expectHttpError(error);
        if (kind === 'absent') {
          return undefined;
        }

        const message = `cannot be read: ${reason}`;
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
    if (statSync(file).size <= maxFileBytes) {
      return readRegularFile(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }

    const message = `cannot be read: ${expectFileError(error)}`;
    throw new VerificationError(path, message, 'It was not checked');
  }

  throw new VerificationError(path, 'is larger than any file of a site', remedy);
}

function listFiles(folder: string): string[] {
  const paths: string[] = [];
  for (const entry of listEntriesBelow(folder)) {
    const path = describePath(folder, join(entry.parentPath, entry.name));
    if (entry.isSymbolicLink()) {
      const message = 'is a link, whose target can change after this check';
      throw new VerificationError(path, message, 'Replace it with the file');
    }

    paths.push(path);
  }
  return paths.sort();
}
