import { sha256 } from '../files/file-system.ts';
import type { HttpHeaders } from './error.ts';

/** Where a stored answer is from, with its validators. */
export interface AnswerOrigin {
  headers: HttpHeaders;
  /** Digest of the URL that answered, after redirects: a signed URL is a secret. */
  finalUrlDigest: string;
}

const storedHeaders = ['content-type', 'etag', 'last-modified', 'link', 'docker-content-digest'];

/** The headers to store; undefined if the answer must not be stored, or no conditional request can confirm it. */
export function pickStoredHeaders(headers: HttpHeaders): Record<string, string> | undefined {
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
export function createConditionalHeaders(
  stored: AnswerOrigin | undefined,
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

/** Looser than RFC 9110, section 8.8.3: some servers omit the quotes but recognise the tag. */
function isEntityTag(value: string): boolean {
  return /^[\x21-\x7e]{1,1024}$/.test(value);
}

/**
 * Whether both headers say that the document had not changed for a minute. One that has just changed may change again within the
 * second that `Last-Modified` states (RFC 9110, section 8.8.2.2).
 */
function isSettled(headers: HttpHeaders): boolean {
  const changedAt = Date.parse(headers.get('last-modified') ?? '');
  const answeredAt = Date.parse(headers.get('date') ?? '');
  return answeredAt - changedAt >= 60_000;
}
