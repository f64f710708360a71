import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { saveIfChanged, sha256 } from '../files/file-system.ts';
import { type HttpHeaders, showUrl } from './error.ts';
import type { HttpAnswer } from './messages.ts';

/** An answer kept between runs, with the validators of a conditional request. */
export interface StoredAnswer extends Pick<HttpAnswer, 'headers' | 'packed' | 'sha256'> {
  /** digest of the URL that answered, after redirects: a signed URL is a secret */
  finalUrlDigest: string;
}

/**
 * Answers by document, in a folder that survives between runs. Each document has a file, named by the digest of its key: a line
 * of JSON, then the packed body. A lost or damaged file only costs a full fetch.
 *
 * Not undici's `interceptors.cache`: it stores an answer before its plausibility is known, does not ask again during `max-age`,
 * and sends its own time as `If-Modified-Since` if the host gave none, which would hide reverted data.
 */
export interface ValidatorStore {
  read(key: string): StoredAnswer | undefined;
  /** Stores an answer if it has a validator. An answer that is still valid is marked as used, which delays its removal. */
  keep(key: string, url: string, answer: HttpAnswer): void;
}

const KEEP_MS = 90 * 24 * 60 * 60 * 1_000;
/** A complete answer, or a partial answer of a killed run. */
const FILE = /^\.?[0-9a-f]{64}\.answer(?:\.saving-\d+)?$/;
const KEPT_HEADERS = ['content-type', 'etag', 'last-modified', 'link', 'docker-content-digest'];

const FirstLine = z.object({
  format: z.literal(1),
  url: z.string(),
  finalUrlDigest: z.string(),
  headers: z.record(z.string(), z.string()),
  sha256: z.string(),
});

/** Calls `onWarning` once if the folder is unusable. */
export function openValidatorStore(
  dir: string,
  onWarning: (message: string) => void = () => undefined,
): ValidatorStore {
  const findFile = (key: string) => join(dir, `${key}.answer`);
  let isUsable = true;

  attempt(() => {
    mkdirSync(dir, { recursive: true });
    prune(dir);
  });

  return {
    read(key) {
      if (!isUsable) {
        return undefined;
      }

      try {
        return parse(readFileSync(findFile(key)));
      } catch {
        return undefined;
      }
    },
    keep(key, url, answer) {
      const now = new Date();
      if (answer.notModified) {
        return attempt(() => utimesSync(findFile(key), now, now));
      }

      const headers = validHeaders(answer.headers);
      if (!headers) {
        return;
      }

      const { packed, sha256: digest } = answer;
      const finalUrlDigest = sha256(answer.url.href);
      const line = { format: 1, url: showUrl(url), headers, finalUrlDigest, sha256: digest };
      const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), packed]);
      attempt(() => void saveIfChanged(findFile(key), bytes));
    },
  };

  function attempt(work: () => void): void {
    if (!isUsable) {
      return;
    }

    try {
      work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;

      // Another run may have pruned the file meanwhile.
      if (code === 'ENOENT' && statSync(dir, { throwIfNoEntry: false })) {
        return;
      }

      onWarning(`${dir}: cannot be used (${code}). Every document is fetched in full.`);
      isUsable = false;
    }
  }
}

/** The headers to store; undefined if they allow no conditional request. */
function validHeaders(headers: HttpHeaders): Record<string, string> | undefined {
  if (/\bno-store\b/i.test(headers.get('cache-control') ?? '')) {
    return undefined;
  }

  const keptHeaders = Object.fromEntries(
    [...headers].filter(([name]) => KEPT_HEADERS.includes(name)),
  );
  if (isEntityTag(keptHeaders['etag'])) {
    return keptHeaders;
  }

  delete keptHeaders['etag'];
  return isSettled(headers) ? keptHeaders : undefined;
}

/** The conditional headers for `url`; empty unless `url` gave the stored answer. */
export function conditions(stored: StoredAnswer | undefined, url: URL): Record<string, string> {
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
function parse(file: Buffer): StoredAnswer {
  const end = file.indexOf('\n');
  const { headers, ...line } = FirstLine.parse(JSON.parse(file.toString('utf8', 0, end)));
  return { ...line, headers: new Map(Object.entries(headers)), packed: file.subarray(end + 1) };
}

function prune(dir: string): void {
  for (const name of readdirSync(dir).filter((one) => FILE.test(one))) {
    const file = join(dir, name);
    if (Date.now() - statSync(file).mtimeMs > KEEP_MS) {
      rmSync(file, { force: true });
    }
  }
}

// Looser than RFC 9110, section 8.8.3: some servers omit the quotes but recognise the tag.
function isEntityTag(value: string | undefined): boolean {
  return value !== undefined && /^[\x21-\x7e]{1,1024}$/.test(value);
}

/** A document that changed within the last minute may change again in the same second (RFC 9110, section 8.8.2.2). */
function isSettled(headers: HttpHeaders): boolean {
  const changed = Date.parse(headers.get('last-modified') ?? '');
  const answered = Date.parse(headers.get('date') ?? '');
  return answered - changed >= 60_000;
}
