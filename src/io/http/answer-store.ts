import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import { makeFolder, sha256 } from '../files/file-system.ts';
import { saveIfChanged } from '../files/save.ts';
import type { HttpHeaders } from './error.ts';

/** The answer for a document, cached until the end of the run. */
export interface HttpAnswer {
  /** After redirects. */
  url: URL;
  headers: HttpHeaders;
  /** The gzipped body: a run may request thousands of documents. */
  packed: Buffer;
  /** The host confirmed the stored body. */
  notModified: boolean;
}

const pack = promisify<Buffer, { level: number }, Buffer>(gzip);
const unpack = promisify<Buffer, { maxOutputLength?: number }, Buffer>(gunzip);

export function packBody(body: Buffer): Promise<Buffer> {
  return pack(body, { level: 3 });
}

export function unpackBody(packed: Buffer): Promise<Buffer> {
  return unpack(packed, {});
}

/** Whether a stored body is within the limit and undamaged, by the checksum in it. */
export async function isIntact(packed: Buffer, maxBytes: number): Promise<boolean> {
  try {
    await unpack(packed, { maxOutputLength: maxBytes });
    return true;
  } catch {
    // The document is fetched again instead.
    return false;
  }
}

/** An answer kept between runs, with the validators of a conditional request. */
export interface StoredAnswer extends Pick<HttpAnswer, 'headers' | 'packed'> {
  /** Digest of the URL that answered, after redirects: a signed URL is a secret. */
  finalUrlDigest: string;
}

/**
 * Answers by document, in a folder that survives between runs. Each document has a file, named by the digest of its key: a line
 * of JSON, then the packed body.
 *
 * Not undici's `interceptors.cache`: it stores an answer before its plausibility is known, does not ask again during `max-age`,
 * and sends its own time as `If-Modified-Since` if the host gave none, which would hide reverted data.
 */
export interface AnswerStore {
  read(key: string): StoredAnswer | undefined;
  /** Stores an answer if it has a validator. An answer that is still valid is marked as used, which delays its removal. */
  keep(key: string, answer: HttpAnswer): void;
}

const maxUnusedMs = 90 * 24 * 60 * 60 * 1_000;
/** A complete answer, or a partial answer of a killed run. */
const filePattern = /^\.?[0-9a-f]{64}\.answer(?:\.saving-\d+)?$/;
const storedHeaders = ['content-type', 'etag', 'last-modified', 'link', 'docker-content-digest'];

const FirstLine = z.object({
  format: z.literal(1),
  finalUrlDigest: z.string(),
  headers: z.record(z.string(), z.string()),
});

/** Calls `onWarning` once if the folder is unusable. */
export function openAnswerStore(
  dir: string,
  onWarning: (message: string) => void = () => undefined,
): AnswerStore {
  const findFile = (key: string) => join(dir, `${key}.answer`);
  let isUsable = true;

  attempt(() => {
    makeFolder(dir);
    removeUnused(dir);
  });

  return {
    read(key) {
      try {
        return parseFile(readFileSync(findFile(key)));
      } catch {
        // A missing or damaged file only costs a full fetch.
        return undefined;
      }
    },
    keep(key, answer) {
      const now = new Date();
      if (answer.notModified) {
        return attempt(() => utimesSync(findFile(key), now, now));
      }

      const headers = pickStoredHeaders(answer.headers);
      if (!headers) {
        return;
      }

      const line = { format: 1, headers, finalUrlDigest: sha256(answer.url.href) };
      const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), answer.packed]);
      attempt(() => saveIfChanged(findFile(key), bytes));
    },
  };

  /** After a failure, the folder is not used any more. */
  function attempt(work: () => void): void {
    if (!isUsable) {
      return;
    }

    try {
      work();
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
}

/** The headers to store; undefined if they allow no conditional request. */
function pickStoredHeaders(headers: HttpHeaders): Record<string, string> | undefined {
  if (/\bno-store\b/i.test(headers.get('cache-control') ?? '')) {
    return undefined;
  }

  const etag = headers.get('etag');
  const hasValidTag = etag !== undefined && isEntityTag(etag);
  if (!hasValidTag && !isSettled(headers)) {
    return undefined;
  }

  const stored = [...headers].filter(
    ([name]) => storedHeaders.includes(name) && (name !== 'etag' || hasValidTag),
  );
  return Object.fromEntries(stored);
}

/** The conditional headers for `url`; empty unless `url` gave the stored answer. */
export function createConditions(
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

/** Throws for a damaged file. */
function parseFile(file: Buffer): StoredAnswer {
  const end = file.indexOf('\n');
  const { headers, ...line } = FirstLine.parse(JSON.parse(file.toString('utf8', 0, end)));
  return { ...line, headers: new Map(Object.entries(headers)), packed: file.subarray(end + 1) };
}

function removeUnused(dir: string): void {
  for (const name of readdirSync(dir).filter((fileName) => filePattern.test(fileName))) {
    const file = join(dir, name);
    if (Date.now() - statSync(file).mtimeMs > maxUnusedMs) {
      rmSync(file, { force: true });
    }
  }
}

// Looser than RFC 9110, section 8.8.3: some servers omit the quotes but recognise the tag.
function isEntityTag(value: string): boolean {
  return /^[\x21-\x7e]{1,1024}$/.test(value);
}

/** A document that changed within the last minute may change again in the same second (RFC 9110, section 8.8.2.2). */
function isSettled(headers: HttpHeaders): boolean {
  const changedAt = Date.parse(headers.get('last-modified') ?? '');
  const answeredAt = Date.parse(headers.get('date') ?? '');
  return answeredAt - changedAt >= 60_000;
}
