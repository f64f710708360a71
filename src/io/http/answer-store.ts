import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { listNames, makeFolder, sha256 } from '../files/file-system.ts';
import { maxSavingMs, removeLeftovers, saveIfChanged } from '../files/save.ts';
import { parseHttpDate, type HttpHeaders } from './http-headers.ts';

/** The answer for a document, cached until the end of the run. */
export interface HttpAnswer {
  /** After redirects. */
  url: URL;
  headers: HttpHeaders;
  /** The gzipped body. */
  packed: Buffer;
  /** Whether the host confirmed the stored body. */
  isNotModified: boolean;
}

/** An answer kept between runs. */
export type StoredAnswer = ReturnType<typeof parseFile>;

const maxUnusedMs = 90 * 24 * 60 * 60 * 1_000;

const FirstLine = z.object({
  format: z.literal(1),
  /** Digest of the URL that answered, after redirects: a signed URL is a secret. */
  finalUrlDigest: z.string(),
  headers: z.record(z.string(), z.string()),
});

export type AnswerStore = ReturnType<typeof openAnswerStore>;

/**
 * Answers by document, in a folder that survives between runs. Each document has a file, named by its key, which is a digest: a line
 * of JSON, then the packed body.
 *
 * Not undici's `interceptors.cache`: it stores an answer before its plausibility is known, does not ask again during `max-age`,
 * and sends its own time as `If-Modified-Since` if the host gave none, which would hide reverted data.
 *
 * Calls `onWarning` once if the folder is unusable.
 */
export function openAnswerStore(
  dir: string,
  onWarning: (message: string) => void = () => undefined,
) {
  const findFile = (key: string) => join(dir, `${key}.answer`);
  let isUsable = true;

  /** Changes files in the folder. After a failure, nothing more is written. */
  function write(change: () => void): void {
    if (!isUsable) {
      return;
    }

    try {
      change();
    } catch (error) {
      const { code, errno } = error as NodeJS.ErrnoException;
      if (errno === undefined) {
        throw error;
      }

      // Another run may have removed the file meanwhile.
      if (code === 'ENOENT' && statSync(dir, { throwIfNoEntry: false })) {
        return;
      }

      onWarning(`${dir}: cannot be used (${code}). Every document is fetched in full.`);
      isUsable = false;
    }
  }

  write(() => {
    makeFolder(dir);
    removeLeftovers(dir, maxSavingMs);
    removeUnused(dir);
  });

  return {
    read(key: string): StoredAnswer | undefined {
      try {
        return parseFile(readFileSync(findFile(key)));
      } catch {
        // A missing or damaged file only costs a full fetch.
        return undefined;
      }
    },
    /** Stores an answer that a conditional request can confirm. A confirmed one is marked as used, which delays its removal. */
    keep(key: string, answer: HttpAnswer): void {
      if (answer.isNotModified) {
        const now = new Date();
        write(() => utimesSync(findFile(key), now, now));
        return;
      }

      const headers = pickStoredHeaders(answer.headers);
      if (headers) {
        write(() => saveIfChanged(findFile(key), formatFile(answer, headers)));
      }
    },
  };
}

function formatFile({ url, packed }: HttpAnswer, headers: Record<string, string>): Buffer {
  const line = { format: 1, headers, finalUrlDigest: sha256(url.href) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), packed]);
}

/** Throws for a damaged file. */
function parseFile(file: Buffer) {
  const end = file.indexOf('\n');
  const { headers, ...line } = FirstLine.parse(JSON.parse(file.toString('utf8', 0, end)));
  return { ...line, headers: new Map(Object.entries(headers)), packed: file.subarray(end + 1) };
}

function removeUnused(dir: string): void {
  for (const name of listNames(dir, /^[0-9a-f]{64}\.answer$/)) {
    const file = join(dir, name);
    if (Date.now() - statSync(file).mtimeMs > maxUnusedMs) {
      rmSync(file, { force: true });
    }
  }
}

const storedHeaders = ['content-type', 'etag', 'last-modified', 'link', 'docker-content-digest'];

/** The headers to store; undefined if the answer must not be stored, or no conditional request can confirm it. */
function pickStoredHeaders(headers: HttpHeaders): Record<string, string> | undefined {
  if (/\bno-store\b/i.test(headers.get('cache-control') ?? '')) {
    return undefined;
  }

  // Looser than RFC 9110, section 8.8.3: some servers omit the quotes but recognise the tag.
  const hasValidTag = /^[\x21-\x7e]{1,1024}$/.test(headers.get('etag') ?? '');
  if (!hasValidTag && !isSettled(headers)) {
    return undefined;
  }

  const stored = [...headers].filter(
    ([name]) => storedHeaders.includes(name) && (name !== 'etag' || hasValidTag),
  );
  return Object.fromEntries(stored);
}

/** The conditional headers for `url`; empty unless `url` gave the stored answer. */
export function createConditionalHeaders(
  stored: StoredAnswer | undefined,
  url: URL,
): Record<string, string> {
  if (!stored || stored.finalUrlDigest !== sha256(url.href)) {
    return {};
  }

  const etag = stored.headers.get('etag');
  if (etag !== undefined) {
    return { 'if-none-match': etag };
  }

  const lastModified = stored.headers.get('last-modified');
  return lastModified === undefined ? {} : { 'if-modified-since': lastModified };
}

/**
 * Whether both headers say that the document had not changed for a minute. One that has just changed may change again within the
 * second that `Last-Modified` states (RFC 9110, section 8.8.2.2).
 */
function isSettled(headers: HttpHeaders): boolean {
  const changedAt = parseHttpDate(headers.get('last-modified'));
  const answeredAt = parseHttpDate(headers.get('date'));
  return answeredAt - changedAt >= 60_000;
}
