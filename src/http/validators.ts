import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzip } from 'node:zlib';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { promisify } from 'node:util';
import type { Body } from './answer.ts';
import { type HttpHeaders, showUrl } from './error.ts';
import { spillName } from './spill.ts';

/** An answer kept between runs, with what is needed to ask whether it still holds. */
export interface StoredAnswer {
  /** the URL that gave the answer, after redirects, by its digest: a signed URL is a secret */
  finalUrlDigest: string;
  /** those of `KEPT_HEADERS` that came with it */
  headers: HttpHeaders;
  /** SHA-256 of the body, in hex */
  sha256: string;
  /** the body, gzip */
  packed: Buffer;
}

/**
 * Answers by document, kept in a folder that survives between runs. One file per document, named by the digest of
 * its key: a line of JSON, then the packed body. A lost or damaged file costs a full fetch and nothing else.
 */
export interface ValidatorStore {
  read(key: string): Promise<StoredAnswer | undefined>;
  /** `url` is only for a person who looks into the folder */
  write(key: string, url: string, answer: StoredAnswer): Promise<void>;
  /** marks an answer as used, which keeps it from being pruned */
  touch(key: string): Promise<void>;
}

export interface ValidatorStoreOptions {
  now?: () => number;
  /** told once, when the folder cannot be used */
  onWarning?: (message: string) => void;
}

export const ValidatorStore = { open };

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEEP_MS = 90 * DAY_MS;
const FILE = /^[0-9a-f]{64}\.answer$/;
const LEFTOVER = /^[0-9a-f]{64}\.answer\.\d+$/;
const KEPT_HEADERS = ['content-type', 'etag', 'last-modified', 'link', 'docker-content-digest'];

const FirstLine = z.object({
  format: z.literal(1),
  url: z.string(),
  finalUrlDigest: z.string(),
  headers: z.record(z.string(), z.string()),
  sha256: z.string(),
});

async function open(dir: string, options: ValidatorStoreOptions = {}): Promise<ValidatorStore> {
  const { now = Date.now, onWarning = () => undefined } = options;
  let isUsable = true;
  await guard(async () => {
    await mkdir(dir, { recursive: true });
    await prune(dir, now());
  });
  return { read, write, touch };

  async function read(key: string): Promise<StoredAnswer | undefined> {
    if (!isUsable) return undefined;
    return readFile(fileOf(key)).then(parse, () => undefined);
  }

  async function write(key: string, url: string, answer: StoredAnswer): Promise<void> {
    const { finalUrlDigest, sha256, headers } = answer;
    const line = {
      format: 1,
      url: showUrl(url),
      finalUrlDigest,
      headers: Object.fromEntries(headers),
      sha256,
    };
    const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), answer.packed]);
    // Not flushed to the disk: the digest tells a torn file from a whole one.
    await guard(() => writeFileAtomic(fileOf(key), bytes, { fsync: false }));
  }

  async function touch(key: string): Promise<void> {
    await guard(async () => {
      const file = fileOf(key);
      const used = new Date(now());
      const { mtimeMs } = await stat(file);
      if (used.getTime() - mtimeMs > DAY_MS) await utimes(file, used, used);
    });
  }

  function fileOf(key: string): string {
    return join(dir, `${key}.answer`);
  }

  async function guard(work: () => Promise<void>): Promise<void> {
    if (!isUsable) return;
    try {
      await work();
    } catch (error) {
      // Another run may have pruned the file in between.
      if (codeOf(error) === 'ENOENT' && (await stat(dir).catch(() => undefined))) return;
      if (isUsable)
        onWarning(`${dir}: cannot be used (${codeOf(error)}). Every document is fetched in full.`);
      isUsable = false;
    }
  }
}

/** The key of a document: the same URL may answer differently to another `Accept`. */
export function documentKey(parts: readonly unknown[]): string {
  return digest(JSON.stringify(parts));
}

/** What to store of an answer; undefined if nothing in it lets us ask again conditionally. */
export async function toStored(
  url: URL,
  headers: HttpHeaders,
  body: Body,
): Promise<StoredAnswer | undefined> {
  if (/\bno-store\b/i.test(headers.get('cache-control') ?? '')) return undefined;
  const kept = new Map([...headers].filter(([name]) => KEPT_HEADERS.includes(name)));
  if (!isEntityTag(kept.get('etag'))) kept.delete('etag');
  if (!kept.has('etag') && !isSettled(headers)) return undefined;
  const sha256 = digest(body.bytes);
  return { finalUrlDigest: digest(url.href), headers: kept, sha256, packed: await body.packed() };
}

/** The conditional headers for `url`; none for another URL than the one that gave the answer. */
export function conditions(stored: StoredAnswer | undefined, url: URL): Record<string, string> {
  if (!stored || stored.finalUrlDigest !== digest(url.href)) return {};
  const etag = stored.headers.get('etag');
  if (etag !== undefined) return { 'if-none-match': etag };
  const lastModified = stored.headers.get('last-modified');
  return lastModified === undefined ? {} : { 'if-modified-since': lastModified };
}

/** The stored body, or undefined if it is damaged or bigger than is read. */
export async function unpackStored(stored: StoredAnswer, maxBytes: number): Promise<Buffer | undefined> {
  const body = await unpack(stored.packed, { maxOutputLength: maxBytes }).catch(() => undefined);
  return body && digest(body) === stored.sha256 ? body : undefined;
}

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

function parse(file: Buffer): StoredAnswer | undefined {
  const end = file.indexOf('\n');
  if (end < 0) return undefined;
  try {
    const { finalUrlDigest, sha256, headers } = FirstLine.parse(JSON.parse(file.toString('utf8', 0, end)));
    return {
      finalUrlDigest,
      sha256,
      headers: new Map(Object.entries(headers)),
      packed: file.subarray(end + 1),
    };
  } catch {
    return undefined;
  }
}

async function prune(dir: string, now: number): Promise<void> {
  for (const name of await readdir(dir)) {
    const keepMs = FILE.test(name) ? KEEP_MS : isLeftover(name) ? DAY_MS : Infinity;
    if (keepMs === Infinity) continue;
    const file = join(dir, name);
    const { mtimeMs } = await stat(file);
    if (now - mtimeMs > keepMs) await rm(file, { force: true });
  }
}

function isLeftover(name: string): boolean {
  return LEFTOVER.test(name) || spillName.test(name);
}

// The syntax is looser than RFC 9110, section 8.8.3: some servers leave out the quotes, and know what they sent.
function isEntityTag(value: string | undefined): boolean {
  return value !== undefined && /^[\x21-\x7e]{1,1024}$/.test(value);
}

/** A document changed within the minute may change again in the same second (RFC 9110, section 8.8.2.2). */
function isSettled(headers: HttpHeaders): boolean {
  const changed = Date.parse(headers.get('last-modified') ?? '');
  const answered = Date.parse(headers.get('date') ?? '');
  return answered - changed >= 60_000;
}

function digest(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
