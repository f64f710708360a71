import { join } from 'node:path';
import type * as z from 'zod';
import { inputError, parseForeign, UnavailableError } from '../core/errors.ts';
import { listFiles, parseJson, readIfThere } from '../core/files.ts';
import { publishedSchemas } from '../site/documents/schemas.ts';
import { Bundle, Statement } from './statements.ts';

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
    read: async (path) => readIfThere(join(folder, path), path),
    list: () => listFiles(folder).map(({ path }) => path),
  };
}

/** `fetch`: a client that throws for anything but an answer. */
export function openAddress(baseUrl: string, fetch: typeof globalThis.fetch): SiteReader {
  return {
    name: baseUrl,
    async read(path) {
      const url = `${baseUrl}/${path.split('/').map(encodeURIComponent).join('/')}`;
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
        if (response.status === 404) {
          return undefined;
        }
        if (!response.ok) {
          throw new Error(`status ${response.status}`);
        }

        return Buffer.from(await response.arrayBuffer());
      } catch (error) {
        const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
        throw new UnavailableError([
          { subject: url, message: `cannot be read: ${cause?.code ?? message}` },
        ]);
      }
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

/** A document of which a schema says as much as is used. Throws an `InputError` for another one. */
export async function readDocument<S extends z.ZodType>(
  site: SiteReader,
  path: string,
  schema: S,
): Promise<z.infer<S>> {
  const bytes = await readRequired(site, path, 'It is not the site of an index');
  return parseForeign(schema, parseJson(bytes.toString(), path), path);
}

/** By the first word of a path, or of what is said of it. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  ...publishedSchemas,
  statements: Bundle,
  statement: Statement,
};

/** A document of `openIndex`. Throws an `InputError` for what is none. */
export function parsePublished(text: string, path: string): unknown {
  const [name = ''] = /^\w+/.exec(path) ?? [];
  return parseForeign(schemas[name]!, parseJson(text, path), path);
}
