import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { leftovers, saveIfChanged } from '../files/save.ts';
import { sha256 } from '../files/sha256.ts';
import type { Answer } from './answer.ts';
import { type HttpHeaders, showUrl } from './error.ts';

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
  read(key: string): StoredAnswer | undefined;
  /** `url` is only for a person who looks into the folder */
  write(key: string, url: string, answer: StoredAnswer): void;
  /** marks an answer as used, so that it is not pruned */
  touch(key: string): void;
}

export interface ValidatorStoreOptions {
  /** told once, when the folder cannot be used */
  onWarning?: (message: string) => void;
}

export const ValidatorStore = { open };

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEEP_MS = 90 * DAY_MS;
const FILE = /^[0-9a-f]{64}\.answer$/;
const KEPT_HEADERS = ['content-type', 'etag', 'last-modified', 'link', 'docker-content-digest'];

const FirstLine = z.object({
  format: z.literal(1),
  url: z.string(),
  finalUrlDigest: z.string(),
  headers: z.record(z.string(), z.string()),
  sha256: z.string(),
});

function open(dir: string, options: ValidatorStoreOptions = {}): ValidatorStore {
  const { onWarning = () => undefined } = options;
  let isUsable = true;
  guard(() => {
    mkdirSync(dir, { recursive: true });
    prune(dir);
  });
  return {
    read(key) {
      if (!isUsable) return undefined;
      try {
        return parse(readFileSync(fileOf(key)));
      } catch {
        return undefined;
      }
    },
    write(key, url, { headers, packed, ...rest }) {
      const line = { format: 1, url: showUrl(url), headers: Object.fromEntries(headers), ...rest };
      const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), packed]);
      guard(() => saveIfChanged(fileOf(key), bytes));
    },
    touch(key) {
      const now = new Date();
      guard(() => utimesSync(fileOf(key), now, now));
    },
  };

  function fileOf(key: string): string {
    return join(dir, `${key}.answer`);
  }

  function guard(work: () => void): void {
    if (!isUsable) return;
    try {
      work();
    } catch (error) {
      // Another run may have pruned the file in between.
      if (codeOf(error) === 'ENOENT' && statSync(dir, { throwIfNoEntry: false })) return;
      onWarning(`${dir}: cannot be used (${codeOf(error)}). Every document is fetched in full.`);
      isUsable = false;
    }
  }
}

/** What to store of an answer; undefined if nothing in it lets us ask again conditionally. */
export function toStored({ url, headers, packed, sha256: digest }: Answer): StoredAnswer | undefined {
  if (/\bno-store\b/i.test(headers.get('cache-control') ?? '')) return undefined;
  const kept = new Map([...headers].filter(([name]) => KEPT_HEADERS.includes(name)));
  if (!isEntityTag(kept.get('etag'))) kept.delete('etag');
  if (!kept.has('etag') && !isSettled(headers)) return undefined;
  return { finalUrlDigest: sha256(url.href), headers: kept, sha256: digest, packed };
}

/** The conditional headers for `url`; none for another URL than the one that gave the answer. */
export function conditions(stored: StoredAnswer | undefined, url: URL): Record<string, string> {
  if (!stored || stored.finalUrlDigest !== sha256(url.href)) return {};
  const etag = stored.headers.get('etag');
  if (etag !== undefined) return { 'if-none-match': etag };
  const lastModified = stored.headers.get('last-modified');
  return lastModified === undefined ? {} : { 'if-modified-since': lastModified };
}

function parse(file: Buffer): StoredAnswer | undefined {
  const end = file.indexOf('\n');
  if (end < 0) return undefined;
  const { headers, ...line } = FirstLine.parse(JSON.parse(file.toString('utf8', 0, end)));
  return {
    finalUrlDigest: line.finalUrlDigest,
    sha256: line.sha256,
    headers: new Map(Object.entries(headers)),
    packed: file.subarray(end + 1),
  };
}

function prune(dir: string): void {
  const unfinished = new Set(leftovers(dir));
  for (const name of readdirSync(dir)) {
    const keepMs = FILE.test(name) ? KEEP_MS : unfinished.has(name) ? DAY_MS : Infinity;
    if (keepMs === Infinity) continue;
    const file = join(dir, name);
    if (Date.now() - statSync(file).mtimeMs > keepMs) rmSync(file, { force: true });
  }
}

// Looser than RFC 9110, section 8.8.3: some servers leave out the quotes, and recognise the tag all the same.
function isEntityTag(value: string | undefined): boolean {
  return value !== undefined && /^[\x21-\x7e]{1,1024}$/.test(value);
}

/** A document changed within the minute may change again in the same second (RFC 9110, section 8.8.2.2). */
function isSettled(headers: HttpHeaders): boolean {
  const changed = Date.parse(headers.get('last-modified') ?? '');
  const answered = Date.parse(headers.get('date') ?? '');
  return answered - changed >= 60_000;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
