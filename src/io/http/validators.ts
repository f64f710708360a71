import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { saveIfChanged } from '../files/save.ts';
import { sha256 } from '../files/sha256.ts';
import type { Answer } from './messages.ts';
import { type HttpHeaders, showUrl } from './error.ts';

/** An answer kept between runs, with the validators of a conditional request. */
export interface StoredAnswer extends Pick<Answer, 'headers' | 'packed' | 'sha256'> {
  /** the URL that gave the answer, after redirects, by its digest: a signed URL is a secret */
  finalUrlDigest: string;
}

/**
 * Answers by document, in a folder that survives between runs. One file per document, named by the digest of its key: a line of
 * JSON, then the packed body. A lost or damaged file costs a full fetch and nothing else.
 *
 * Not by undici's `interceptors.cache`: it stores an answer before anyone could judge whether it is plausible, answers from the
 * store without asking while `max-age` lasts, and states its own time as `If-Modified-Since` where the host gave none, so that
 * data that was reverted would stay hidden.
 */
export interface ValidatorStore {
  read(key: string): StoredAnswer | undefined;
  /** Stores an answer if it has a validator; one that is still valid counts as used, and so is not pruned. */
  keep(key: string, url: string, answer: Answer): void;
}

const KEEP_MS = 90 * 24 * 60 * 60 * 1_000;
/** An answer, or one that a run was saving when it was killed. */
const FILE = /^\.?[0-9a-f]{64}\.answer(?:\.saving-\d+)?$/;
const KEPT_HEADERS = ['content-type', 'etag', 'last-modified', 'link', 'docker-content-digest'];

const FirstLine = z.object({
  format: z.literal(1),
  url: z.string(),
  finalUrlDigest: z.string(),
  headers: z.record(z.string(), z.string()),
  sha256: z.string(),
});

/** Calls `onWarning` once, when the folder cannot be used. */
export function openValidatorStore(
  dir: string,
  onWarning: (message: string) => void = () => undefined,
): ValidatorStore {
  const fileOf = (key: string) => join(dir, `${key}.answer`);
  let isUsable = true;
  attempt(() => {
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
    keep(key, url, answer) {
      const now = new Date();
      if (answer.notModified) return attempt(() => utimesSync(fileOf(key), now, now));
      const headers = validHeaders(answer.headers);
      if (!headers) return;
      const { packed, sha256: digest } = answer;
      const finalUrlDigest = sha256(answer.url.href);
      const line = { format: 1, url: showUrl(url), headers, finalUrlDigest, sha256: digest };
      const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), packed]);
      attempt(() => void saveIfChanged(fileOf(key), bytes));
    },
  };

  function attempt(work: () => void): void {
    if (!isUsable) return;
    try {
      work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another run may have pruned the file in between.
      if (code === 'ENOENT' && statSync(dir, { throwIfNoEntry: false })) return;
      onWarning(`${dir}: cannot be used (${code}). Every document is fetched in full.`);
      isUsable = false;
    }
  }
}

/** The headers to store of an answer; undefined if no conditional request can be made of them. */
function validHeaders(headers: HttpHeaders): Record<string, string> | undefined {
  if (/\bno-store\b/i.test(headers.get('cache-control') ?? '')) return undefined;
  const kept = Object.fromEntries([...headers].filter(([name]) => KEPT_HEADERS.includes(name)));
  if (isEntityTag(kept['etag'])) return kept;
  delete kept['etag'];
  return isSettled(headers) ? kept : undefined;
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
  return { ...line, headers: new Map(Object.entries(headers)), packed: file.subarray(end + 1) };
}

function prune(dir: string): void {
  for (const name of readdirSync(dir).filter((one) => FILE.test(one))) {
    const file = join(dir, name);
    if (Date.now() - statSync(file).mtimeMs > KEEP_MS) rmSync(file, { force: true });
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
