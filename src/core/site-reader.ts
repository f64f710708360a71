/** Reads the files of a published site, which may come from an attacker. */
import { join } from 'node:path';
import type * as z from 'zod';
import { inputError, UnavailableError } from './errors.ts';
import { listFiles, readIfThere } from './files.ts';
import { collect, findTarget, maxBytes, maxRedirects } from './http-limits.ts';
import { parseForeign, parseJson } from './parse-document.ts';
import { describeFault, findProxyFault } from './proxies.ts';

/** The files of a site: in a folder, at a URL, or the assets of the Worker. */
export interface SiteReader {
  /** Reads a file. Undefined if it does not exist. Throws if it cannot be read now. */
  read(path: string): Promise<Buffer | undefined>;
  /** Lists the paths of all files. Absent for a URL, because a web server does not list its files. */
  list?(): string[];
}

/** Opens a site. `place`: a folder, or a URL without a slash at its end. `signal`: aborts requests to the URL. */
export function openSite(place: string, signal?: AbortSignal): SiteReader {
  if (/^https?:/.test(place)) {
    return {
      read: (path) =>
        fetchFile(`${place}/${encodeURIComponent(path).replaceAll('%2F', '/')}`, signal),
    };
  }

  return {
    read: async (path) => readIfThere(join(place, path), path),
    list: () => listFiles(place).map(({ path }) => path),
  };
}

async function fetchFile(url: string, stop?: AbortSignal): Promise<Buffer | undefined> {
  const limit = AbortSignal.timeout(60_000);
  try {
    const response = await followRedirects(url, stop ? AbortSignal.any([stop, limit]) : limit);
    if (response.status === 404) {
      return undefined;
    }
    if (!response.ok) {
      throw new Error(`it answered ${response.status}`);
    }

    const body = await collect(response.body ?? [], maxBytes);
    if (!body) {
      throw new Error(`it is bigger than ${maxBytes / 2 ** 20} MiB`);
    }
    return body;
  } catch (error) {
    stop?.throwIfAborted();
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    const fault = cause && findProxyFault(cause, url);
    const code = cause?.code ?? cause?.message ?? message;
    const reason = fault ? describeFault(fault, code) : code;
    // If `fetch` throws, the cause of its error has the network's message.
    throw new UnavailableError([{ subject: url, message: `cannot be read: ${reason}` }], { cause });
  }
}

/** Follows redirects, but never from https to plain http. */
async function followRedirects(address: string, signal: AbortSignal): Promise<Response> {
  let url = new URL(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await fetch(url, { signal, redirect: 'manual' });
    const location = findTarget(response.status, response.headers);
    if (location === undefined) {
      return response;
    }

    await response.body?.cancel();
    const target = new URL(location, url);
    if (target.protocol !== 'https:' && target.protocol !== url.protocol) {
      throw new Error(`it redirects to ${target.protocol}`);
    }
    url = target;
  }
  throw new Error(`it redirects more than ${maxRedirects} times`);
}

export async function readRequired(
  site: SiteReader,
  path: string,
  missing: string,
): Promise<Buffer> {
  const bytes = await site.read(path);
  if (!bytes) {
    throw inputError(path, missing);
  }

  return bytes;
}

/**
 * Reads a JSON document of a site. `schema`: describes the JSON keys that the caller uses. Throws an `InputError` for a document that does
 * not fit.
 */
export async function readDocument<S extends z.ZodType>(
  site: SiteReader,
  path: string,
  schema: S,
): Promise<z.infer<S>> {
  const bytes = await readRequired(site, path, 'is missing, so this is not the site of an index');
  return parseForeign(schema, parseJson(bytes.toString(), path), path);
}
