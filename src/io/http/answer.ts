import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sha256 } from '../files/sha256.ts';
import { HttpError, type HttpHeaders, showUrl } from './error.ts';

/** The answer for a document, as it is kept until the end of a run. */
export interface Answer {
  /** after redirects */
  url: URL;
  headers: HttpHeaders;
  /** the body, gzip: a run may ask for thousands of documents */
  packed: Buffer;
  /** SHA-256 of the body, in hex */
  sha256: string;
  /** the body is the stored one, which the host calls still valid */
  notModified: boolean;
}

const pack = promisify<Buffer, { level: number }, Buffer>(gzip);
const unpack = promisify<Buffer, { maxOutputLength?: number }, Buffer>(gunzip);

export async function packBody(body: Buffer): Promise<Pick<Answer, 'packed' | 'sha256'>> {
  return { packed: await pack(body, { level: 3 }), sha256: sha256(body) };
}

export function unpackBody({ packed }: Pick<Answer, 'packed'>, maxOutputLength?: number): Promise<Buffer> {
  return unpack(packed, maxOutputLength === undefined ? {} : { maxOutputLength });
}

/** Whether a stored body is neither damaged nor bigger than a request reads. */
export async function isIntact(
  stored: Pick<Answer, 'packed' | 'sha256'>,
  maxBytes: number,
): Promise<boolean> {
  const body = await unpackBody(stored, maxBytes).catch(() => undefined);
  return body !== undefined && sha256(body) === stored.sha256;
}

interface Source {
  method: string;
  url: URL;
}

/** Strict UTF-8; a byte order mark is dropped. Throws `HttpError` of kind `content`. */
export function decodeText(body: Buffer, source: Source): string {
  if (!isUtf8(body)) throw contentError(source, 'is not valid UTF-8');
  return new TextDecoder().decode(body);
}

/** Throws `HttpError` of kind `content`. */
export function decodeJson(body: Buffer, source: Source): unknown {
  const text = decodeText(body, source);
  try {
    return JSON.parse(text);
  } catch (error) {
    const start = text.slice(0, 40).replace(/\s+/g, ' ').trim();
    throw contentError(source, `is not valid JSON (it begins with ${JSON.stringify(start)})`, error);
  }
}

function contentError({ method, url }: Source, problem: string, cause?: unknown): HttpError {
  const message = `${method} ${showUrl(url)} ${problem}`;
  return new HttpError({ kind: 'content', url: url.href, message, status: 200, cause });
}
