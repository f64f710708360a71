import { join } from 'node:path';
import { inputError, UnavailableError } from '../core/errors.ts';
import { listFiles, readIfThere } from '../core/files.ts';

/** Reads a published site, which is foreign input. */
export interface SiteReader {
  name: string;
  /** Undefined if there is no such file. Throws an InputError if it cannot be read now. */
  read(path: string): Promise<Buffer | undefined>;
  /** The paths of all files; an address cannot list them. */
  list?(): string[];
}

export function openFolder(folder: string): SiteReader {
  return {
    name: folder,
    read: async (path) => readIfThere(join(folder, path)),
    list() {
      const files = listFiles(folder);
      const link = files.find(({ isLink }) => isLink);
      if (link) {
        throw inputError(
          link.path,
          'is a link, whose target can change after the check. Replace it with the file',
        );
      }

      return files.map(({ path }) => path);
    },
  };
}

/** `fetch`: a client that throws for anything but an answer. */
export function openAddress(baseUrl: string, fetch: typeof globalThis.fetch): SiteReader {
  return {
    name: baseUrl,
    async read(path) {
      const url = `${baseUrl}/${path.split('/').map(encodeURIComponent).join('/')}`;
      const response = await fetch(url, { signal: AbortSignal.timeout(60_000) }).catch(
        (error: Error) => {
          const cause = error.cause as NodeJS.ErrnoException | undefined;
          throw new UnavailableError([
            { subject: url, message: `cannot be read: ${cause?.code ?? error.message}` },
          ]);
        },
      );
      if (response.status === 404) {
        return undefined;
      }
      if (!response.ok) {
        throw new UnavailableError([{ subject: url, message: `answered ${response.status}` }]);
      }

      return Buffer.from(await response.arrayBuffer());
    },
  };
}

export async function readRequired(
  site: SiteReader,
  path: string,
  remedy: string,
): Promise<Buffer> {
  const bytes = await site.read(path);
  if (!bytes) {
    throw inputError(path, `is missing. ${remedy}`);
  }

  return bytes;
}
