import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sha256 } from '../files/sha256.ts';
import { HttpError, showUrl, type HttpHeaders } from './error.ts';
import { isLoopback } from './address-guard.ts';

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

export interface HttpRequest {
  url: string;
  /** media types to ask for; the answer must be of one of these or of `alsoAccept` */
  accept: readonly string[];
  /** media types that are accepted without asking for them, such as `text/plain` of raw files */
  alsoAccept?: readonly string[] | undefined;
  headers?: Record<string, string> | undefined;
  method?: 'GET' | 'HEAD' | 'POST' | undefined;
  /** of a `POST`: a question that changes nothing, so that it may be repeated */
  body?: { type: string; text: string } | undefined;
  /** the most that the body may be, unpacked */
  maxBytes?: number | undefined;
  /** npm's own credentials are for this request, too */
  asNpm?: boolean | undefined;
  /** answer a 401 with a token for this scope ("repository:library/alpine:pull"), as registries want */
  authenticate?: { scope: string } | undefined;
  /** false for a document that no later run will ask for */
  isKept?: boolean | undefined;
  /** true where an answer of no bytes is a list of nothing */
  mayBeEmpty?: boolean | undefined;
}

/** Throws `HttpError` for a URL that is never requested. */
export function parseUrl({ url: text, method = 'GET' }: HttpRequest): URL {
  const reject = (message: string) => new HttpError({ kind: 'forbidden', url: text, message });
  const url = URL.parse(text);
  if (!url) throw reject(`${showUrl(text)} is not a URL`);
  const subject = `${method} ${showUrl(url)}`;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))
    throw reject(`${subject} is not allowed: only https: is (http: for loopback)`);
  if (url.username || url.password) throw reject(`${subject} has credentials in the URL`);
  url.hash = '';
  return url;
}

/** The same URL may be answered differently to another `Accept`, and with a credential. */
export function keyOf(url: URL, request: HttpRequest, isPersonal: boolean): string {
  const { method = 'GET', body, accept, alsoAccept = [], headers = {}, maxBytes = 0, authenticate } = request;
  const sorted = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [method, url.href, body, accept, alsoAccept, sorted, maxBytes, authenticate?.scope ?? ''];
  return sha256(JSON.stringify(isPersonal ? [...parts, 'personal'] : parts));
}
